package dev.mailroom.processes;

import dev.mailroom.errors.StoreException;
import dev.mailroom.spi.Durability;
import dev.mailroom.spi.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses a store that acknowledges writes before they are durable. The store is asked when the
 * mailroom is built; one that cannot be reached then, before the first write.
 */
final class DurabilityCheck {
  private static final Logger LOG = LoggerFactory.getLogger(DurabilityCheck.class);

  private volatile boolean passed;

  /** A check that is passed already if weakness is accepted. */
  DurabilityCheck(boolean accepted) {
    this.passed = accepted;
  }

  /**
   * Asks the store, unless it has answered before.
   *
   * @throws WeakDurabilityException if it is weak
   */
  void require(Store store) {
    if (passed) {
      return;
    }
    String weakness = store instanceof Durability durability ? durability.weakness() : null;
    if (weakness != null) {
      throw new WeakDurabilityException(weakness);
    }
    passed = true;
  }

  /** The same, except that a store that cannot be reached may be asked later. */
  void requireIfReachable(Store store) {
    try {
      require(store);
    } catch (StoreException unreachable) {
      LOG.warn("The store could not be asked how durable it is; it will be", unreachable);
    }
  }
}
