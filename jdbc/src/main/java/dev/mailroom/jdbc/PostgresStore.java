package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.WakeUps;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A store on PostgreSQL whose processes tell each other when there is work. */
final class PostgresStore extends LeasingStore implements WakeUps {
  private final DataSource dataSource;
  private final String name;
  private final String self = UUID.randomUUID().toString();
  private final Listeners listeners = new Listeners();
  private final Notifier notifier;
  private final @Nullable TransactionalNotify inTransaction;
  private @Nullable Receiver receiver;

  /**
   * Makes the store.
   *
   * @param name what its processes notify each other on
   * @param inTransaction whether a caller's transaction may contain a notification
   */
  PostgresStore(JdbcStoreBuilder.Parts parts, String name, boolean inTransaction) {
    super(parts);
    this.dataSource = parts.source();
    this.name = name;
    this.notifier = new Notifier(dataSource, name, self);
    this.inTransaction =
        inTransaction ? new TransactionalNotify(parts.transactions(), name, notifier) : null;
  }

  /** The first subscription opens a connection on which it listens until the store is closed. */
  @Override
  public Subscription subscribe(Consumer<String> listener) {
    Subscription subscription = listeners.subscribe(Objects.requireNonNull(listener, "listener"));
    listen();
    return subscription;
  }

  private synchronized void listen() {
    if (receiver == null) {
      receiver = new Receiver(KnownPool.of(dataSource), name, self, listeners::wake);
      receiver.start();
    }
  }

  @Override
  void stirred(Channel channel) {
    listeners.wake(channel.name());
    notifier.signal(channel.name());
  }

  @Override
  void joined(Channel channel, JdbcTransaction transaction) {
    if (inTransaction != null) {
      inTransaction.send(channel, transaction);
    }
  }

  @Override
  void freed(Channel channel) {
    listeners.wake(channel.name());
  }

  @Override
  public void close() {
    notifier.close();
    synchronized (this) {
      if (receiver != null) {
        receiver.close();
      }
    }
    super.close();
  }
}
