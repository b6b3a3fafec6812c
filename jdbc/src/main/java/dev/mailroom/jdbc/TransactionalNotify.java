package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.time.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Wakes handlers of what is written in a caller's transaction that does not tell when it commits:
 * by a notification inside of the transaction, which PostgreSQL delivers at the commit and drops
 * with a rollback, also one to a savepoint.
 *
 * <p>Commits that contain a notification go one at a time on the whole server, each with its wait
 * for the disk. So there is at most one in 50 ms for each channel; a write in between is followed
 * by a notification of the store's own, 50 to 100 ms later, when its transaction has most likely
 * committed. If it has not, polling finds the message.
 */
final class TransactionalNotify {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(Notifier.PAUSE_MILLIS);

  private final Transactions transactions;
  private final String name;
  private final Notifier notifier;
  private final TimeSource time = TimeSource.system();
  private final Map<String, Long> sentAt = new ConcurrentHashMap<>();

  TransactionalNotify(Transactions transactions, String name, Notifier notifier) {
    this.transactions = transactions;
    this.name = name;
    this.notifier = notifier;
  }

  void send(Channel channel, JdbcTransaction transaction) {
    if (!isDue(channel.name())) {
      notifier.signalLater(channel.name());
      return;
    }
    transactions.join(
        "notify in the caller's transaction",
        transaction.forStore(),
        session ->
            session
                .call("SELECT pg_notify(?, ?)")
                .with(name, Notifier.textForAll(channel.name()))
                .list(row -> true));
  }

  /** Whether the last one was long enough ago; of many threads, one is told so. */
  private boolean isDue(String channel) {
    long now = time.nanos();
    Long before = sentAt.putIfAbsent(channel, now);
    return before == null || (now - before >= PAUSE_NANOS && sentAt.replace(channel, before, now));
  }
}
