package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The right to write to a database with one writer, within this process. The database would make
 * the others wait as well, but by trying again now and then, and whoever tries at the wrong moment
 * can lose for long: a lease must not be lost that way.
 */
final class WriterTurn {
  private final Turns turns = new Turns(1, Duration.ofMinutes(1), "the database's only writer");
  private volatile @Nullable Thread owner;

  void take() throws SQLException {
    if (owner == Thread.currentThread()) {
      throw new IllegalStateException(
          "This thread has a transaction open, and this database has one writer at a time: write in"
              + " that transaction, with WriteOptions.in(…), or after it.");
    }
    turns.take();
    owner = Thread.currentThread();
  }

  void giveBack() {
    owner = null;
    turns.giveBack();
  }
}
