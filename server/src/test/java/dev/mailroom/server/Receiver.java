package dev.mailroom.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An endpoint that targets post to, which keeps what it gets. */
public final class Receiver implements AutoCloseable {
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Got> requests = new LinkedBlockingQueue<>();
  private final HttpServer server;
  private volatile int status = 204;

  /** A request, its headers in lower case. */
  public record Got(Map<String, String> headers, String body) {}

  public Receiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new LinkedHashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      int answer = status;
      if (answer < 300) {
        requests.add(new Got(headers, body));
      }
      exchange.sendResponseHeaders(answer, -1);
    }
  }

  /** What it answers from now on; what it refuses it does not keep. */
  public void answer(int value) {
    status = value;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The settings of a target that posts here. */
  public String target() {
    return "{type: http, url: '%s', secrets: [%s], first-delay: 100ms, longest-delay: 200ms}"
        .formatted(url(), SECRET);
  }

  /** Whether it holds nothing that was not taken. */
  public boolean isEmpty() {
    return requests.isEmpty();
  }

  /** The next request, which has to come. */
  public Got next() throws InterruptedException {
    Got got = requests.poll(1, TimeUnit.MINUTES);
    if (got == null) {
      throw new AssertionError("Nothing was posted.");
    }
    return got;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
