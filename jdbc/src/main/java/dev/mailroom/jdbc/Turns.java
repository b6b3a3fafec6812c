package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets so many in at a time, in the order in which they came, and none wait for ever. */
final class Turns {
  private final Semaphore free;
  private final Duration patience;
  private final String what;

  Turns(int count, Duration patience, String what) {
    this.free = new Semaphore(count, true);
    this.patience = patience;
    this.what = what;
  }

  void take() throws SQLException {
    try {
      if (!free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new SQLTransientException("Waited for " + patience + " in vain for " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientException("Interrupted while waiting for " + what, e);
    }
  }

  void giveBack() {
    free.release();
  }
}
