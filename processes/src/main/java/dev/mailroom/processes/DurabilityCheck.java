package dev.mailroom.processes;

import dev.mailroom.errors.StoreException;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses timeouts in a store that acknowledges writes before they are durable. The store is asked
 * once; one that cannot be reached when the mailroom is built is asked before the first timeout.
 */
final class DurabilityCheck {
  private static final Logger LOG = LoggerFactory.getLogger(DurabilityCheck.class);

  private final String builder;
  private volatile boolean passed;

  /**
   * A check that is passed already if weak durability is accepted.
   *
   * @param builder the builder that can accept it, as it is called in errors
   */
  DurabilityCheck(String builder, boolean accepted) {
    this.builder = builder;
    this.passed = accepted;
  }

  /**
   * Asks the store, unless the check is passed.
   *
   * @throws WeakDurabilityException if the store may lose what it has acknowledged
   */
  void require(Store store) {
    if (passed) {
      return;
    }
    String weakness = store instanceof Durability durability ? durability.weakness() : null;
    if (weakness != null) {
      throw new WeakDurabilityException(weakness, builder);
    }
    passed = true;
  }

  /** As {@link #require}, but a store that cannot be reached is asked later. */
  void requireIfReachable(Store store) {
    try {
      require(store);
    } catch (StoreException unreachable) {
      LOG.warn("The store's durability is unknown: it could not be reached", unreachable);
    }
  }

  /** Warns if the store is weak: for facades that may never request a timeout. */
  void warnIfWeak(String facade, Store store) {
    try {
      requireIfReachable(store);
    } catch (WeakDurabilityException weak) {
      LOG.warn("{}: a step that requests a timeout will be refused. {}", facade, weak.getMessage());
    }
  }
}
