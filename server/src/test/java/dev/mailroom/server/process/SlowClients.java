package dev.mailroom.server.process;

import dev.mailroom.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Many clients on one thread whose headers never end; a closed one reconnects. */
final class SlowClients implements AutoCloseable {
  private static final int MILLIS_BETWEEN_LOOKS = 100;

  private final InetSocketAddress server;
  private final int count;
  private final long betweenBytes;
  private final TimeSource time;
  private final List<Slow> clients = new ArrayList<>();
  private int closed;

  private record Slow(SocketChannel channel, long lastByte) {}

  SlowClients(URI server, int count, Duration betweenBytes, TimeSource time) {
    this.server = new InetSocketAddress(server.getHost(), server.getPort());
    this.count = count;
    this.betweenBytes = betweenBytes.toNanos();
    this.time = time;
  }

  /** Connects all of them. */
  void connect() throws IOException {
    for (int i = 0; i < count; i++) {
      clients.add(open());
    }
  }

  private Slow open() throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.configureBlocking(false);
    String head = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";
    channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
    return new Slow(channel, time.nanos());
  }

  /** Keeps all of them connected and slow until then. */
  void runUntil(long end) {
    try {
      while (time.nanos() < end) {
        for (int i = 0; i < clients.size(); i++) {
          clients.set(i, look(clients.get(i)));
        }
        if (new CountDownLatch(1).await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
          throw new AssertionError("a latch that is never counted down");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Slow look(Slow client) throws IOException {
    try {
      if (client.channel().read(ByteBuffer.allocate(64)) >= 0) {
        return drip(client);
      }
    } catch (IOException e) {
      // A reset is an end, too.
    }
    client.channel().close();
    closed++;
    return open();
  }

  private Slow drip(Slow client) throws IOException {
    if (time.nanos() - client.lastByte() < betweenBytes) {
      return client;
    }
    client.channel().write(ByteBuffer.wrap(new byte[] {'x'}));
    return new Slow(client.channel(), time.nanos());
  }

  /** How many of their connections were closed so far. */
  int closed() {
    return closed;
  }

  @Override
  public void close() throws IOException {
    for (Slow client : clients) {
      client.channel().close();
    }
  }
}
