package dev.mailroom.deadletters;

import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import java.time.Instant;
import java.util.UUID;

/**
 * A message that is not retried until it is redriven. Holds everything needed to run it again.
 *
 * @param message the message as it was, its counts included
 * @param error why it was dead-lettered
 * @param deadLetteredAt when, by the store's clock
 */
public record DeadLetter(Message message, LastError error, Instant deadLetteredAt) {

  /** The message's identity. */
  public UUID id() {
    return message.id();
  }
}
