package dev.mailroom.errors;

import java.util.Set;
import java.util.UUID;

/** The lease under which something was to be changed is no longer held; nothing was changed. */
public final class LeaseLostException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient Set<UUID> messages;

  /** Names the messages whose lease is lost. */
  public LeaseLostException(Set<UUID> messages) {
    super(
        "The lease on "
            + messages
            + " is no longer held: it expired and was given to another worker, or the message was"
            + " settled before.");
    this.messages = Set.copyOf(messages);
  }

  /** The messages whose lease is lost. */
  public Set<UUID> messages() {
    return messages;
  }
}
