package dev.mailroom.test;

import dev.mailroom.Mailroom;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.internal.MailroomAccess;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The messages that wait in an inbox, for a test of what an application writes:
 *
 * <pre>{@code
 * service.placeOrder("4711");
 * WrittenMessages.of(mailroom, "orders").assertPayloads(new OrderPlaced("4711"));
 * }</pre>
 *
 * <p>Waiting are messages that are due and messages that are scheduled for later; not those that
 * are being handled, dead or done. Each call reads the store again, all that waits at once. A
 * failed assertion is an {@link AssertionError}. Thread-safe.
 */
public final class WrittenMessages {
  private static final MessageFilter WAITING =
      MessageFilter.all().in(MessageState.READY, MessageState.SCHEDULED);

  private final FacadeContext context;
  private final MessageChannel channel;

  private WrittenMessages(FacadeContext context, MessageChannel channel) {
    this.context = context;
    this.channel = channel;
  }

  /**
   * What waits in an inbox, or in the inbox of an outbox, a schedule or processes.
   *
   * @throws IllegalArgumentException if the mailroom has no such inbox
   */
  public static WrittenMessages of(Mailroom mailroom, String inbox) {
    FacadeContext context = MailroomAccess.context(mailroom);
    return new WrittenMessages(context, context.channel(inbox));
  }

  /**
   * The messages, the first written first.
   *
   * @throws UnsupportedOperationException if the store does not support inspection
   */
  public List<WrittenMessage> list() {
    try (var found = channel.inspect().stream(WAITING)) {
      return found
          .map(each -> each.message())
          .sorted(Comparator.comparingLong(message -> message.progress().sequence()))
          .map(message -> new WrittenMessage(context, message))
          .toList();
    }
  }

  /** Their payloads, the first written first. */
  public List<Object> payloads() {
    return list().stream().map(WrittenMessage::payload).toList();
  }

  /** The payloads of this type, the first written first; others are left out. */
  public <T> List<T> payloads(Class<T> type) {
    return payloads().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The only message. */
  public WrittenMessage single() {
    List<WrittenMessage> all = list();
    if (all.size() != 1) {
      throw new AssertionError("Expected one message in " + name() + ", but there are " + all);
    }
    return all.get(0);
  }

  /** Exactly these payloads wait, in this order. */
  public void assertPayloads(Object... expected) {
    List<Object> payloads = payloads();
    if (!Objects.deepEquals(payloads.toArray(), expected)) {
      throw new AssertionError(
          "Expected in "
              + name()
              + " "
              + Arrays.deepToString(expected)
              + ", but there are "
              + Arrays.deepToString(payloads.toArray()));
    }
  }

  /** Nothing waits. */
  public void assertEmpty() {
    List<WrittenMessage> all = list();
    if (!all.isEmpty()) {
      throw new AssertionError("Expected nothing in " + name() + ", but there are " + all);
    }
  }

  private String name() {
    return "'" + channel.name() + "'";
  }
}
