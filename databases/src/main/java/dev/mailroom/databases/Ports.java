package dev.mailroom.databases;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds ports for servers on the loopback address, below those that the system hands out.
 *
 * <p>A port handed out by the system would do until the server is stopped: then any connection of
 * this machine may get it as its own end, even that of a client which tries to reach the stopped
 * server, and the server cannot come back.
 */
public final class Ports {
  private static final int FIRST = 15_000;
  private static final int COUNT = 17_000;

  /** JVMs that start at the same time begin their search at different places. */
  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 10 % COUNT));

  private Ports() {}

  /** One that nobody listens on, and that was not given to anyone else in this JVM. */
  public static int next() {
    for (int tries = 0; tries < COUNT; tries++) {
      int port = FIRST + NEXT.getAndIncrement() % COUNT;
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("All ports from %d on are taken".formatted(FIRST));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
