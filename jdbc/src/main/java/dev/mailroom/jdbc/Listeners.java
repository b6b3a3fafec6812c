package dev.mailroom.jdbc;

import dev.mailroom.spi.WakeUps.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who wants to hear of work in this process. */
final class Listeners {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  Subscription subscribe(Consumer<String> target) {
    Listener added = new Listener(target);
    listeners.add(added);
    return added;
  }

  /** Tells everybody; a listener that fails keeps nobody else from hearing. */
  void wake(String channel) {
    for (Listener listener : listeners) {
      try {
        listener.target.accept(channel);
      } catch (RuntimeException e) {
        LOG.warn("A listener for wake-ups failed.", e);
      }
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
