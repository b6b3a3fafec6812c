package dev.mailroom.test;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.FacadeContext;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message that was written and waits to be handled; see {@link WrittenMessages}. Immutable. */
public final class WrittenMessage {
  private final FacadeContext context;
  private final Message message;

  WrittenMessage(FacadeContext context, Message message) {
    this.context = context;
    this.message = message;
  }

  /**
   * The payload, decoded as a handler would get it.
   *
   * @throws dev.mailroom.errors.UnknownContractException if the mailroom does not know its contract
   */
  public Object payload() {
    return context.decode(message.envelope().payload());
  }

  /** Its id. */
  public UUID id() {
    return message.id();
  }

  /** What its payload is. */
  public Contract contract() {
    return message.contract();
  }

  /** Its group, or null. */
  public @Nullable String groupKey() {
    return message.routing().groupKey();
  }

  /** Its headers. */
  public Map<String, String> headers() {
    return message.envelope().headers();
  }

  /** From when on it can be handled, by the store's clock. */
  public Instant visibleAt() {
    return message.timing().visibleAt();
  }

  /** The message as the store holds it. */
  public Message message() {
    return message;
  }

  @Override
  public String toString() {
    String group = groupKey();
    return contract() + " " + id() + (group == null ? "" : " of group '" + group + "'");
  }
}
