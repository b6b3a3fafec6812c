package dev.mailroom.webhooks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when a kind of failure begins and when it ends, and nothing in between. Thread-safe. */
final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

  /** Current failures; at most one entry per source and kind. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  void failed(String what, Throwable error) {
    if (failing.add(what)) {
      LOG.error(
          "{}; further failures of this kind are counted in metrics and not logged", what, error);
    }
  }

  /** The supplier is called only while something fails, which is rare. */
  void succeeded(Supplier<String> what) {
    if (!failing.isEmpty()) {
      String ended = what.get();
      if (failing.remove(ended)) {
        LOG.info("Recovered from: {}", ended);
      }
    }
  }
}
