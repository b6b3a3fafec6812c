package dev.mailroom.server.targets;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A running program and its child processes. A process whose parent has ended is no longer listed
 * as a descendant, so children are recorded while the program runs: often at first, because most
 * programs are short, and once a second later, because a scan lists all processes. A child that is
 * started and left within a moment can be missed. Not thread-safe.
 */
final class RunningProgram implements AutoCloseable {
  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

  /** The longest that a program waits for room in its pipe; it is seen to end at once. */
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long LONGEST_BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(1);

  private final Process process;
  private final ProgramOutput output;
  private final TimeSource time = TimeSource.system();
  private final Set<ProcessHandle> started = new LinkedHashSet<>();

  RunningProgram(Process process) {
    this.process = process;
    this.output = new ProgramOutput(process.getInputStream());
  }

  /** Waits until it has ended, and no longer than the timeout. */
  boolean await(Duration timeout) throws InterruptedException {
    long begin = time.nanos();
    long limit = TimeUnit.NANOSECONDS.convert(timeout);
    long left = limit;
    long pause = SHORTEST_PAUSE;
    long betweenLooks = SHORTEST_PAUSE;
    long nextLook = 0;
    while (!process.waitFor(Math.min(pause, left), TimeUnit.NANOSECONDS)) {
      long passed = time.nanos() - begin;
      left = limit - passed;
      if (left <= 0) {
        return false;
      }
      pause = output.take() ? SHORTEST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
      if (passed >= nextLook) {
        note();
        nextLook = passed + betweenLooks;
        betweenLooks = Math.min(2 * betweenLooks, LONGEST_BETWEEN_LOOKS);
      }
    }
    output.take();
    return true;
  }

  /** The beginning of its output. */
  String firstOutput() {
    return output.text();
  }

  private void note() {
    started.removeIf(handle -> !handle.isAlive());
    process.descendants().forEach(started::add);
    // Also the descendants of children that it has left behind.
    Set.copyOf(started).forEach(handle -> handle.descendants().forEach(started::add));
  }

  /** Kills it and its children, unless it has succeeded, and closes its output. */
  @Override
  public void close() {
    if (process.isAlive() || process.exitValue() != 0) {
      note();
      process.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
    }
    output.close();
  }
}
