package dev.mailroom.server.targets;

import dev.mailroom.messages.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The beginning of a program's output. Only available bytes are read: a blocking read could not be
 * ended while a process that the program left behind keeps the pipe open. Not thread-safe.
 */
final class ProgramOutput implements AutoCloseable {
  /** How much is kept, for the reason of a failure. */
  private static final int KEPT = 2_000;

  /** How much is read at a time, so that endless output does not block the caller. */
  private static final int MOST = 1 << 20;

  private final InputStream pipe;
  private final byte[] kept = new byte[KEPT];
  private final byte[] rest = new byte[1 << 16];
  private int length;

  ProgramOutput(InputStream pipe) {
    this.pipe = pipe;
  }

  /**
   * Keeps the beginning and takes the rest, so that the program does not wait for a full pipe.
   *
   * @return whether there was anything
   */
  boolean take() {
    int taken = 0;
    try {
      int there;
      while (taken < MOST && (there = pipe.available()) > 0) {
        int count = pipe.read(rest, 0, Math.min(there, rest.length));
        if (count < 0) {
          break;
        }
        int more = Math.min(count, KEPT - length);
        System.arraycopy(rest, 0, kept, length, more);
        length += more;
        taken += count;
      }
    } catch (IOException e) {
      // The pipe is closed when the program has ended; what was read is kept.
    }
    return taken > 0;
  }

  /** The output so far, on one line, for logs and terminals. */
  String text() {
    String text = new String(kept, 0, length, StandardCharsets.UTF_8);
    return Limits.cut(text.replaceAll("\\p{Cntrl}+", " "), KEPT).strip();
  }

  @Override
  public void close() {
    try {
      pipe.close();
    } catch (IOException e) {
      // The output is no longer needed.
    }
  }
}
