package dev.mailroom.internal.engine;

import dev.mailroom.transactions.Transaction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Forwards wake-ups to the channel engines: from writers of this process and from stores. */
public final class Waker {
  private final Map<String, ChannelEngine> engines = new ConcurrentHashMap<>();

  /** Forwards wake-ups for the channel to this engine. */
  void connect(String channel, ChannelEngine engine) {
    engines.put(channel, engine);
  }

  /** Drops wake-ups for the channel from now on. */
  void disconnect(String channel) {
    engines.remove(channel);
  }

  /** The channel may have messages to lease. */
  public void wake(String channel) {
    ChannelEngine engine = engines.get(channel);
    if (engine != null) {
      engine.wakeUp().raise();
    }
  }

  /** Leases messages as this process appends them; null if it does not handle the channel. */
  public @Nullable LeasedAppends leasedAppends(String channel) {
    ChannelEngine engine = engines.get(channel);
    return engine == null ? null : engine.leasedAppends();
  }

  /** Wakes the channel once the transaction, if there is one, has committed. */
  public void wakeAfter(@Nullable Transaction transaction, String channel) {
    if (transaction == null) {
      wake(channel);
    } else {
      transaction.afterCommit(() -> wake(channel));
    }
  }
}
