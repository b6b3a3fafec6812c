package dev.mailroom.memory;

import dev.mailroom.spi.WakeUps.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subscribers of wake-ups. Called without a lock. */
final class WakeUpListeners {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryStore.class);

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  Subscription subscribe(Consumer<String> listener) {
    Listener added = new Listener(listener);
    listeners.add(added);
    return added;
  }

  void wake(String channel) {
    for (Listener listener : listeners) {
      run(() -> listener.target.accept(channel));
    }
  }

  /** Runs an action after a write: its failure must not look like a failure of the write. */
  static void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException failure) {
      LOG.warn("An action after a write failed; the write itself is done.", failure);
    }
  }

  /** One subscription; the same target can have several. */
  private final class Listener implements Subscription {
    final Consumer<String> target;

    Listener(Consumer<String> target) {
      this.target = target;
    }

    @Override
    public void close() {
      listeners.remove(this);
    }
  }
}
