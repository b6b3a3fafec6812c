package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How many transactions may be open at once, by fair semaphores with a timeout. Handlers have a
 * smaller number of their own, so that they never take the last connections of the pool: with all
 * of them taken, no message would be claimed until a handler ends.
 */
final class TransactionPermits {
  /** How long a transaction waits: longer than the handlers before it usually take. */
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** What handlers leave: for leases and outcomes, for claims, and for everything else. */
  private static final int LEFT_BY_HANDLERS = 3;

  private final OptionalInt poolSize;
  private final int handlerCount;
  private final Turns handlers;
  private final Turns all;

  private TransactionPermits(OptionalInt poolSize, int handlerCount, int count) {
    this.poolSize = poolSize;
    this.handlerCount = handlerCount;
    this.handlers = new Turns(handlerCount, TIMEOUT, "a handler's transaction");
    this.all = new Turns(count, TIMEOUT, "a connection for a transaction");
  }

  /**
   * The permits of a store.
   *
   * @param poolSize empty if the pool does not say
   * @param wanted the option, or null for the default
   */
  static TransactionPermits of(
      OptionalInt poolSize, boolean manyWriters, @Nullable Integer wanted) {
    if (!manyWriters) {
      return new TransactionPermits(poolSize, 1, 1);
    }
    int handlers = wanted == null ? defaultCount(poolSize) : wanted;
    int all = poolSize.isPresent() ? Math.max(1, poolSize.getAsInt() - 1) : Integer.MAX_VALUE;
    return new TransactionPermits(poolSize, handlers, all);
  }

  private static int defaultCount(OptionalInt poolSize) {
    return poolSize.isPresent()
        ? Math.max(1, poolSize.getAsInt() - LEFT_BY_HANDLERS)
        : JdbcStoreBuilder.DEFAULT_HANDLER_TRANSACTIONS;
  }

  /** The most that a pool of this size has room for: one is kept, and one must be left. */
  static int most(int poolSize) {
    return Math.max(1, poolSize - 2);
  }

  /** The right to have one transaction open. */
  interface Permit {
    void giveBack();
  }

  Permit forHandler() throws SQLException {
    handlers.take();
    boolean taken = false;
    try {
      all.take();
      taken = true;
    } finally {
      if (!taken) {
        handlers.giveBack();
      }
    }
    return () -> {
      all.giveBack();
      handlers.giveBack();
    };
  }

  Permit forApplication() throws SQLException {
    all.take();
    return all::giveBack;
  }

  /** For the log: how many, and why. */
  @Override
  public String toString() {
    String size =
        poolSize.isPresent()
            ? "a pool of " + poolSize.getAsInt() + " connections"
            : "a pool of unknown size";
    return "at most "
        + handlerCount
        + (handlerCount == 1 ? " handler transaction" : " handler transactions")
        + " at once on "
        + size;
  }
}
