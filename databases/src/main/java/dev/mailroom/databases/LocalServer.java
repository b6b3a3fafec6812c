package dev.mailroom.databases;

import dev.mailroom.databases.ServerProcess.StartFailedException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server of this JVM: one data directory, one port, and a process that comes and goes. */
abstract class LocalServer implements Instance {
  private static final int TRIES = 5;

  private final Path directory;
  private final String readySign;
  private int port = Ports.next();
  private boolean wasReady;
  private @Nullable Process process;

  /**
   * Knows a server that is yet to be started.
   *
   * @param directory where it runs
   * @param readySign a part of the line that it writes when it accepts connections
   */
  LocalServer(Path directory, String readySign) {
    this.directory = directory;
    this.readySign = readySign;
  }

  abstract List<String> command(int onPort);

  /** Makes the process end soon, without waiting for it. */
  abstract void end(Process running);

  final synchronized int port() {
    return port;
  }

  @Override
  public final boolean isOurs() {
    return true;
  }

  @Override
  public final synchronized void start() {
    if (process != null && process.isAlive()) {
      return;
    }
    for (int tries = 1; ; tries++) {
      try {
        process = ServerProcess.start(command(port), directory, readySign);
        wasReady = true;
        return;
      } catch (StartFailedException e) {
        // Somebody may take the port between our look at it and the server's. Once there are
        // clients who know the port, another one would be of no use.
        if (wasReady || tries == TRIES || !e.isBecauseOfThePort()) {
          throw e;
        }
        port = Ports.next();
      }
    }
  }

  @Override
  public final synchronized void stopImmediately() {
    if (process != null) {
      if (process.isAlive()) {
        end(process);
      }
      ServerProcess.awaitEnd(process);
      process = null;
    }
  }
}
