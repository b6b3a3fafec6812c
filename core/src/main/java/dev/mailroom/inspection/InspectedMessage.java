package dev.mailroom.inspection;

import dev.mailroom.messages.Message;
import java.util.Objects;

/**
 * A message and its state.
 *
 * @param message the message
 * @param state where it stands
 */
public record InspectedMessage(Message message, MessageState state) {
  /** Refuses null. */
  public InspectedMessage {
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(state, "state");
  }
}
