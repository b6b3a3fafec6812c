package dev.mailroom.processes;

import dev.mailroom.errors.MailroomException;

/** The store may lose timeouts that it has acknowledged, and nobody said that this is accepted. */
public final class WeakDurabilityException extends MailroomException {
  private static final long serialVersionUID = 1L;

  WeakDurabilityException(String weakness) {
    super(
        "A timeout that is lost is never noticed, and this store can lose what it has"
            + " acknowledged. "
            + weakness
            + " Make the store durable, or say Timeouts.builder().acceptWeakDurability().");
  }
}
