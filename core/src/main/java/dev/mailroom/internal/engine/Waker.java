package dev.mailroom.internal.engine;

import dev.mailroom.Transaction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Passes on hints that a channel has work: from writers of this process and from the stores. */
public final class Waker {
  private final Map<String, Signal> fetchers = new ConcurrentHashMap<>();

  /** Hints for this channel go to that signal. */
  public void connect(String channel, Signal fetcher) {
    fetchers.put(channel, fetcher);
  }

  /** Hints for this channel go nowhere from now on. */
  public void disconnect(String channel) {
    fetchers.remove(channel);
  }

  /** The channel may have something to lease. */
  public void wake(String channel) {
    Signal fetcher = fetchers.get(channel);
    if (fetcher != null) {
      fetcher.raise();
    }
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
