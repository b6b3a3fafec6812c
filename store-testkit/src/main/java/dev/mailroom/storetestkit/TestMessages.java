package dev.mailroom.storetestkit;

import dev.mailroom.messages.Message;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Factories of messages and channels for tests. */
public final class TestMessages {

  private TestMessages() {}

  /**
   * A message with a new id whose payload is its label, so that a test can identify messages by
   * their {@link #label}.
   */
  public static MessageDraft message(String label) {
    return new MessageDraft(label);
  }

  /** A channel that orders messages with a group key and has the default policy. */
  public static ChannelDraft channel(String name) {
    return new ChannelDraft(name);
  }

  /** The label under which the message was drafted. */
  public static String label(Message message) {
    return new String(message.envelope().payload().bytes(), StandardCharsets.UTF_8);
  }

  /** The labels in the order of the messages. */
  public static List<String> labels(Collection<Message> messages) {
    return messages.stream().map(TestMessages::label).toList();
  }
}
