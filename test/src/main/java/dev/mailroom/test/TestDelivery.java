package dev.mailroom.test;

import dev.mailroom.Delivery;
import dev.mailroom.MessageContract;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Timing;
import dev.mailroom.messages.Trace;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A delivery to call a {@link dev.mailroom.Handler} with directly, without a mailroom and a store:
 *
 * <pre>{@code
 * TestDelivery<OrderPlaced> delivery =
 *     TestDelivery.of(new OrderPlaced("4711"), options -> options.attempt(3).groupKey("c-1"));
 * assertEquals(Result.success(), handler.handle(delivery));
 * assertEquals(Map.of("charge", "paid"), delivery.checkpoints());
 * }</pre>
 *
 * <p>The message has no encoded bytes, unless the payload is itself a {@link Payload}, as a relay
 * gets it. Not thread-safe.
 *
 * @param <T> the payload's type
 */
public final class TestDelivery<T> implements Delivery<T> {
  private static final Contract UNNAMED = new Contract("test.payload", 1);

  private final T payload;
  private final Message message;
  private final HandlerCall call;
  private final Map<String, String> recorded = new LinkedHashMap<>();

  TestDelivery(T payload, Message message, HandlerCall call) {
    this.payload = payload;
    this.message = message;
    this.call = call;
  }

  /** The first attempt of a message without a group and without headers. */
  public static <T> TestDelivery<T> of(T payload) {
    return of(payload, options -> {});
  }

  /** A delivery with options: {@code TestDelivery.of(order, options -> options.attempt(3))}. */
  public static <T> TestDelivery<T> of(T payload, Consumer<Builder> options) {
    Builder builder = new Builder();
    options.accept(builder);
    return builder.build(payload, new HandlerCall(builder.transaction));
  }

  @Override
  public T payload() {
    return payload;
  }

  @Override
  public Message message() {
    return message;
  }

  @Override
  public Instant leasedAt() {
    return message.timing().visibleAt();
  }

  @Override
  public boolean isLeaseLost() {
    return call.isLeaseLost();
  }

  /**
   * The transaction that the test gave.
   *
   * @throws UnsupportedOperationException if it gave none, as with a store without transactions
   */
  @Override
  public Transaction transaction() {
    return call.begin();
  }

  @Override
  public void checkpoint(String step, String outcome) {
    Limits.requireName("checkpoint's step", step);
    Limits.requireName("checkpoint's outcome", outcome);
    if (call.isBegun()) {
      throw new IllegalStateException(
          "The handler has begun its transaction, and a checkpoint would be stored apart from it:"
              + " record step '"
              + step
              + "' before.");
    }
    if (call.isLeaseLost()) {
      throw new LeaseLostException(Set.of(id()));
    }
    Map<String, String> all = checkpointsAfterwards();
    if (!all.containsKey(step) && all.size() == Limits.CHECKPOINTS) {
      throw new InvalidMessageException(
          "The message has " + Limits.CHECKPOINTS + " checkpoints already: no more are stored.");
    }
    recorded.put(step, outcome);
  }

  /** What the handler recorded with this delivery, by step; the first one first. A copy. */
  public Map<String, String> checkpoints() {
    return new LinkedHashMap<>(recorded);
  }

  /** Whether the handler asked for the transaction. */
  public boolean hasBegunTransaction() {
    return call.isBegun();
  }

  /**
   * From now on the lease is lost: {@link #isLeaseLost} is true and a checkpoint fails. The other
   * deliveries of its batch lose it too.
   */
  public void loseLease() {
    call.loseLease();
  }

  /**
   * The same message as its next attempt gets it: one attempt more, and with the checkpoints that
   * were recorded. It has the same transaction, not begun, and holds its lease.
   */
  public TestDelivery<T> nextAttempt() {
    Progress last = message.progress();
    Progress next =
        new Progress(
            last.sequence(),
            last.attempts() + 1,
            last.crashes(),
            last.deferrals(),
            last.parkedSince(),
            last.lastError());
    Message again =
        new Message(
            message.channel(), message.envelope(), message.timing(), next, checkpointsAfterwards());
    return new TestDelivery<>(payload, again, call.again());
  }

  private Map<String, String> checkpointsAfterwards() {
    Map<String, String> all = new HashMap<>(message.checkpoints());
    all.putAll(recorded);
    return all;
  }

  @Override
  public String toString() {
    return "TestDelivery[" + payload + ", attempt " + attempt() + "]";
  }

  /** Sets how a message is delivered. Not thread-safe. */
  public static final class Builder {
    private String inbox = "test";
    private @Nullable UUID messageId;
    private @Nullable Contract contract;
    private @Nullable String tenant;
    private @Nullable String groupKey;
    private @Nullable String deduplicationKey;
    private @Nullable LastError lastError;
    private @Nullable Transaction transaction;
    private Trace trace = Trace.NONE;
    private Instant time = ManualTime.START;
    private int attempt = 1;
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, String> checkpoints = new HashMap<>();

    Builder() {}

    /** The inbox's name. Default: {@code test}. */
    public Builder inbox(String name) {
      inbox = name;
      return this;
    }

    /** The message's id. Default: a random one. */
    public Builder messageId(UUID id) {
      messageId = id;
      return this;
    }

    /**
     * The contract. Default: that of the payload's {@link MessageContract}; for a type without one
     * {@code test.payload}, version 1.
     */
    public Builder contract(String name, int version) {
      contract = new Contract(name, version);
      return this;
    }

    /** The tenant. Default: none. */
    public Builder tenant(String name) {
      tenant = name;
      return this;
    }

    /** The group. Default: none. */
    public Builder groupKey(String key) {
      groupKey = key;
      return this;
    }

    /** The deduplication key. Default: none. */
    public Builder deduplicationKey(String key) {
      deduplicationKey = key;
      return this;
    }

    /** Correlation, causation and trace context. Default: none. */
    public Builder trace(Trace context) {
      trace = context;
      return this;
    }

    /** Adds a header. */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Which attempt it is, from 1. Default: 1. */
    public Builder attempt(int number) {
      if (number < 1) {
        throw new IllegalArgumentException(
            "The attempt is " + number + ": the first one has number 1.");
      }
      attempt = number;
      return this;
    }

    /** Why the attempt before failed. Default: none. */
    public Builder lastError(LastError error) {
      lastError = error;
      return this;
    }

    /** Adds a checkpoint that an earlier attempt recorded. */
    public Builder checkpoint(String step, String outcome) {
      checkpoints.put(step, outcome);
      return this;
    }

    /** When it was written, received and leased. Default: {@link ManualTime#START}. */
    public Builder time(Instant instant) {
      time = instant;
      return this;
    }

    /**
     * What {@link Delivery#transaction} returns. The test commits it or rolls it back. Default:
     * none, so that the call throws.
     */
    public Builder transaction(Transaction value) {
      transaction = value;
      return this;
    }

    @Nullable Transaction transaction() {
      return transaction;
    }

    <T> TestDelivery<T> build(T payload, HandlerCall call) {
      Objects.requireNonNull(payload, "payload");
      Envelope envelope =
          new Envelope(
              messageId == null ? UUID.randomUUID() : messageId,
              stored(payload),
              new Routing(tenant, groupKey, deduplicationKey, null),
              trace,
              headers);
      Message message =
          new Message(
              inbox,
              envelope,
              new Timing(time, time, time, null),
              new Progress(1, attempt, 0, 0, null, lastError),
              checkpoints);
      return new TestDelivery<>(payload, message, call);
    }

    private Payload stored(Object payload) {
      if (payload instanceof Payload raw) {
        return raw;
      }
      MessageContract annotation = payload.getClass().getAnnotation(MessageContract.class);
      Contract known = contract;
      if (known == null) {
        known =
            annotation == null ? UNNAMED : new Contract(annotation.name(), annotation.version());
      }
      return new Payload(known, "application/octet-stream", new byte[0]);
    }
  }
}
