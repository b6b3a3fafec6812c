package dev.mailroom.webhooks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once that something has begun to fail, and once that it works again. */
final class Trouble {
  private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);

  /** What fails now; one entry per source at most. */
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  void failed(String what, Throwable error) {
    if (failing.add(what)) {
      LOG.error("{}; further failures of this kind are counted, not logged", what, error);
    }
  }

  /** Nearly always nothing fails, and then nobody has to say what. */
  void wentWell(Supplier<String> what) {
    if (!failing.isEmpty()) {
      String ended = what.get();
      if (failing.remove(ended)) {
        LOG.info("No longer: {}", ended);
      }
    }
  }
}
