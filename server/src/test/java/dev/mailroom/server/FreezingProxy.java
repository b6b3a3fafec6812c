package dev.mailroom.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a client and a server; frozen, it keeps all connections and forwards nothing. */
final class FreezingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final Object thawed = new Object();
  private boolean frozen;
  private boolean closed;

  FreezingProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  void freeze() {
    synchronized (thawed) {
      frozen = true;
    }
  }

  void thaw() {
    synchronized (thawed) {
      frozen = false;
      thawed.notifyAll();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "freezing-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.addAll(List.of(client, server));
        start(() -> forward(client, server));
        start(() -> forward(server, client));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void forward(Socket from, Socket to) {
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      byte[] buffer = new byte[8_192];
      for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        awaitThaw();
        output.write(buffer, 0, count);
        output.flush();
      }
      awaitThaw();
    } catch (IOException e) {
      // One end was closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitThaw() throws InterruptedException {
    synchronized (thawed) {
      while (frozen && !closed) {
        thawed.wait();
      }
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (thawed) {
      closed = true;
      thawed.notifyAll();
    }
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
