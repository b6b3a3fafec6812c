package dev.mailroom.processes;

import dev.mailroom.errors.MailroomException;

/** The store may lose timeouts that it has acknowledged, and this was not accepted. */
public final class WeakDurabilityException extends MailroomException {
  private static final long serialVersionUID = 1L;

  WeakDurabilityException(String weakness, String builder) {
    super(
        "A lost timeout goes unnoticed, and this store can lose what it has acknowledged. "
            + weakness
            + " Make the store durable, or accept the loss with "
            + builder
            + ".acceptWeakDurability().");
  }
}
