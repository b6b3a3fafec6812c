package dev.mailroom.jdbc;

import dev.mailroom.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that is kept for leases and outcomes, so that handlers which take all others
 * cannot keep a lease from being extended or an outcome from being stored. One is enough, since
 * outcomes are gathered; whoever wants it waits in line. Taken from the pool with the first claim:
 * a process that only writes keeps none, and until then this is the pool.
 */
final class ReservedConnection implements Connections, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
  private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int VALIDATION_SECONDS = 5;

  private final Connections pool;
  private final boolean enabled;
  private final TimeSource time = TimeSource.system();
  private final ReentrantLock turn = new ReentrantLock(true);
  private volatile boolean reserved;
  private volatile @Nullable Connection connection;
  private long usedAt;
  private boolean closed;

  /**
   * Reserves nothing yet.
   *
   * @param enabled false if the pool has too few connections to keep one
   */
  ReservedConnection(Connections pool, boolean enabled) {
    this.pool = pool;
    this.enabled = enabled;
  }

  /** From now on a connection is kept. */
  void reserve() {
    if (reserved || !enabled) {
      return;
    }
    turn.lock();
    try {
      if (!reserved && !closed) {
        connection = pool.take();
        usedAt = time.nanos();
        reserved = true;
      }
    } catch (SQLException e) {
      throw SqlErrors.translate("reserve a connection", e);
    } finally {
      turn.unlock();
    }
  }

  @Override
  public Connection take() throws SQLException {
    if (!reserved) {
      return pool.take();
    }
    turn.lock();
    boolean taken = false;
    try {
      Connection kept = usable();
      taken = true;
      return kept;
    } finally {
      if (!taken) {
        turn.unlock();
      }
    }
  }

  private Connection usable() throws SQLException {
    if (closed) {
      throw new SQLException("The store is closed");
    }
    Connection kept = connection;
    if (kept != null && time.nanos() - usedAt > IDLE_NANOS && !kept.isValid(VALIDATION_SECONDS)) {
      discard();
      kept = null;
    }
    if (kept == null) {
      kept = pool.take();
      connection = kept;
    }
    return kept;
  }

  @Override
  public void giveBack(Connection used) {
    if (used != connection) {
      pool.giveBack(used);
      return;
    }
    try {
      usedAt = time.nanos();
      Connections.endTransaction(used);
      if (used.isClosed()) {
        discard(); // it broke, and the driver has noticed
      }
    } catch (SQLException e) {
      LOG.debug("The reserved connection broke; the next one is taken from the pool.", e);
      discard();
    } finally {
      turn.unlock();
    }
  }

  private void discard() {
    Connection kept = connection;
    connection = null;
    if (kept != null) {
      pool.giveBack(kept);
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      closed = true;
      discard();
    } finally {
      turn.unlock();
    }
  }
}
