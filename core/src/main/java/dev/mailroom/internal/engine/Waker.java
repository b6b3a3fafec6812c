package dev.mailroom.internal.engine;

import dev.mailroom.transactions.Transaction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Passes on hints that a channel has work: from writers of this process and from the stores. */
public final class Waker {
  private final Map<String, ChannelEngine> engines = new ConcurrentHashMap<>();

  /** Hints for the channel of this engine go to it. */
  void connect(String channel, ChannelEngine engine) {
    engines.put(channel, engine);
  }

  /** Hints for this channel go nowhere from now on. */
  void disconnect(String channel) {
    engines.remove(channel);
  }

  /** The channel may have something to lease. */
  public void wake(String channel) {
    ChannelEngine engine = engines.get(channel);
    if (engine != null) {
      engine.wakeUp().raise();
    }
  }

  /** Where messages of the channel arrive that this process writes; null if it handles none. */
  public @Nullable Arrivals arrivals(String channel) {
    ChannelEngine engine = engines.get(channel);
    return engine == null ? null : engine.arrivals();
  }

  /** The channel has something to lease once the transaction, if there is one, has committed. */
  public void wakeAfter(@Nullable Transaction transaction, String channel) {
    if (transaction == null) {
      wake(channel);
    } else {
      transaction.afterCommit(() -> wake(channel));
    }
  }
}
