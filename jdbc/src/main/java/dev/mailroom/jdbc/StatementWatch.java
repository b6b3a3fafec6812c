package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels statements that take too long. It looks at all that run once a second, where a driver
 * that starts a timer for every statement wakes a thread for each, which takes longer than many a
 * statement. Its own thread starts with the first statement, and rests while there is none.
 */
final class StatementWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  private final int seconds;
  private final Map<Statement, Long> running = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile long second;
  private volatile boolean rests = true;
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * A watch that sees nothing so far.
   *
   * @param seconds how long a statement may take; it is cancelled up to a second later
   */
  StatementWatch(int seconds) {
    this.seconds = seconds;
  }

  /** The statement is about to run. */
  void begin(Statement statement) {
    running.put(statement, second);
    if (rests) {
      wake();
    }
  }

  /** The statement has ended, one way or the other. */
  void end(Statement statement) {
    running.remove(statement);
  }

  private void wake() {
    lock.lock();
    try {
      rests = false;
      if (thread == null && !closed) {
        thread = new Thread(this::run, "mailroom-statement-watch");
        thread.setDaemon(true);
        thread.start();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (pause()) {
        long next = second + 1; // nobody else writes it
        second = next;
        running.forEach(this::look);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets a second pass, after a rest if nothing runs; false if it is closed. */
  private boolean pause() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      rests = true; // first, so that whoever begins after the look at what runs will see it
      rests = running.isEmpty();
      while (rests && !closed) {
        changed.await();
      }
      long left = TimeUnit.SECONDS.toNanos(1);
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private void look(Statement statement, long begun) {
    if (second - begun > seconds && running.remove(statement) != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        LOG.debug("A statement that takes too long could not be cancelled.", e);
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
