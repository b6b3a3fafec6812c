package dev.mailroom.errors;

import java.util.UUID;

/**
 * A strict write found a message under the same key or id whose content differs; nothing was
 * stored.
 */
public final class ConflictingDuplicateException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final UUID original;

  /** Names the message that was refused and the one it conflicts with. */
  public ConflictingDuplicateException(UUID refused, UUID original) {
    super(
        "Message "
            + refused
            + " repeats the key or id of message "
            + original
            + " with other content. Nothing was stored; use a new key for new content.");
    this.original = original;
  }

  /** The message that was stored first. */
  public UUID original() {
    return original;
  }
}
