package dev.mailroom.messages;

import java.util.Objects;

/**
 * A message and the inbox it is for, to be stored later together with something else. Facades make
 * them of what would otherwise be written at once, such as a command or an event.
 *
 * @param inbox the inbox's name
 * @param message the payload and its options
 */
public record AddressedMessage(String inbox, Outgoing message) {
  /** Refuses null. */
  public AddressedMessage {
    Objects.requireNonNull(inbox, "inbox");
    Objects.requireNonNull(message, "message");
  }
}
