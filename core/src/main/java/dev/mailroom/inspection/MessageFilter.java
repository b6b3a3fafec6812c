package dev.mailroom.inspection;

import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Routing;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages of an inbox; one must match every given part. Texts compare by exact characters,
 * except the error's.
 *
 * @param states where they stand; empty means anywhere
 * @param contract the name of their contract, or null for any
 * @param routing their tenant and keys; each that is null means any
 * @param correlationId the conversation they are part of, or null for any
 * @param created when the store accepted them
 * @param received when they came in, as the application says
 * @param error a part of their last error's type or message, in any case, or null for any
 */
public record MessageFilter(
    Set<MessageState> states,
    @Nullable String contract,
    Routing routing,
    @Nullable String correlationId,
    TimeRange created,
    TimeRange received,
    @Nullable String error) {

  private static final MessageFilter ALL =
      new MessageFilter(Set.of(), null, Routing.NONE, null, TimeRange.ALL, TimeRange.ALL, null);

  /** Copies the states and checks the texts. */
  public MessageFilter {
    states = Set.copyOf(states);
    Objects.requireNonNull(routing, "routing");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(received, "received");
    check("contract", contract, Limits.KEY_LENGTH);
    check("correlation id", correlationId, Limits.KEY_LENGTH);
    check("error text", error, Limits.ERROR_LENGTH);
  }

  /** Every message. */
  public static MessageFilter all() {
    return ALL;
  }

  /** Only messages in one of these states. */
  public MessageFilter in(MessageState first, MessageState... more) {
    return new MessageFilter(
        EnumSet.of(first, more), contract, routing, correlationId, created, received, error);
  }

  /** Only this contract's. */
  public MessageFilter contract(String name) {
    return new MessageFilter(
        states, present("contract", name), routing, correlationId, created, received, error);
  }

  /** Only this tenant's. */
  public MessageFilter tenant(String name) {
    return routing(
        new Routing(
            present("tenant", name),
            routing.groupKey(),
            routing.deduplicationKey(),
            routing.collapseKey()));
  }

  /** Only this group's. */
  public MessageFilter groupKey(String key) {
    return routing(
        new Routing(
            routing.tenant(),
            present("group key", key),
            routing.deduplicationKey(),
            routing.collapseKey()));
  }

  /** Only messages with this deduplication key. */
  public MessageFilter deduplicationKey(String key) {
    return routing(
        new Routing(
            routing.tenant(),
            routing.groupKey(),
            present("deduplication key", key),
            routing.collapseKey()));
  }

  /** Only messages with this collapse key. */
  public MessageFilter collapseKey(String key) {
    return routing(
        new Routing(
            routing.tenant(),
            routing.groupKey(),
            routing.deduplicationKey(),
            present("collapse key", key)));
  }

  /** Only messages of this conversation. */
  public MessageFilter correlationId(String id) {
    return new MessageFilter(
        states, contract, routing, present("correlation id", id), created, received, error);
  }

  /** Only messages that the store accepted in this range, its end exclusive; null means open. */
  public MessageFilter created(@Nullable Instant from, @Nullable Instant before) {
    return new MessageFilter(
        states, contract, routing, correlationId, new TimeRange(from, before), received, error);
  }

  /** Only messages that were received in this range, its end exclusive; null means open. */
  public MessageFilter received(@Nullable Instant from, @Nullable Instant before) {
    return new MessageFilter(
        states, contract, routing, correlationId, created, new TimeRange(from, before), error);
  }

  /** Only those whose last error's type or message contains the text, in any case. */
  public MessageFilter error(String text) {
    return new MessageFilter(
        states, contract, routing, correlationId, created, received, present("error text", text));
  }

  private MessageFilter routing(Routing other) {
    return new MessageFilter(states, contract, other, correlationId, created, received, error);
  }

  /** A blank field of a form must not turn "only this tenant's" into "every tenant's". */
  private static String present(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "The " + what + " to look for is blank: leave it out to find any.");
    }
    return value;
  }

  private static void check(String what, @Nullable String value, int maximum) {
    if (value != null) {
      Limits.text(what, present(what, value), maximum);
    }
  }
}
