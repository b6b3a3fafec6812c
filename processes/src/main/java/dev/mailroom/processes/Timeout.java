package dev.mailroom.processes;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A timeout to be requested: its destination, when it is due, and what it carries. Immutable and
 * thread-safe.
 */
public final class Timeout {
  /** The earliest time a timeout can be due: {@code 1970-01-01T00:00:00Z}. */
  public static final Instant EARLIEST = Instant.EPOCH;

  /** The latest time a timeout can be due: the end of the year 9999. */
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private static final UUID NIL = new UUID(0, 0);

  private final String destination;
  private final Due due;
  private final @Nullable UUID id;
  private final @Nullable String key;
  private final @Nullable Object payload;
  private final @Nullable TypeReference<?> type;
  private final @Nullable String correlationId;
  private final @Nullable String causationId;
  private final @Nullable Transaction transaction;
  private final Map<String, Object> headers;

  private Timeout(Builder builder, Due due) {
    this.due = due;
    destination = builder.destination;
    id = builder.id;
    key = builder.key;
    payload = builder.payload;
    type = builder.type;
    correlationId = builder.correlationId;
    causationId = builder.causationId;
    transaction = builder.transaction;
    headers = builder.headers;
  }

  /**
   * Due that long after the store accepts it, by the store's clock; without any other option.
   *
   * @throws InvalidMessageException if the delay is negative
   */
  public static Timeout after(String destination, Duration delay) {
    return builder(destination).after(delay).build();
  }

  /**
   * Due at that time by the store's clock, at once if it has passed; without any other option.
   *
   * @throws InvalidMessageException if the time is before {@link #EARLIEST} or after {@link
   *     #LATEST}
   */
  public static Timeout at(String destination, Instant time) {
    return builder(destination).at(time).build();
  }

  /**
   * A timeout with options: {@code Timeout.of("remind", timeout ->
   * timeout.after(Duration.ofDays(1)).key("4711"))}.
   *
   * @throws InvalidMessageException if an option is invalid, or it does not say when it is due
   */
  public static Timeout of(String destination, Consumer<Builder> settings) {
    Builder builder = builder(destination);
    settings.accept(builder);
    return builder.build();
  }

  /**
   * A builder without any option set.
   *
   * @throws InvalidMessageException if the destination is blank or too long
   */
  public static Builder builder(String destination) {
    return new Builder(destination);
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The name of its destination. */
  public String destination() {
    return destination;
  }

  /** When it is due. */
  public Due due() {
    return due;
  }

  /** The caller's own id, or null if Mailroom makes one. */
  public @Nullable UUID id() {
    return id;
  }

  /** The key, or null. */
  public @Nullable String key() {
    return key;
  }

  /** The payload, or null. */
  public @Nullable Object payload() {
    return payload;
  }

  /** The generic type of the payload, or null for its class. */
  public @Nullable TypeReference<?> type() {
    return type;
  }

  /** The correlation id, or null. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  /** The causation id, or null. */
  public @Nullable String causationId() {
    return causationId;
  }

  /** The transaction to join, or null for the calling thread's, if there is one. */
  public @Nullable Transaction transaction() {
    return transaction;
  }

  /**
   * The headers: each a {@link String}, {@link Long}, {@link Double}, {@link Boolean} or {@link
   * Instant}.
   */
  public Map<String, Object> headers() {
    return headers;
  }

  @Override
  public String toString() {
    return "Timeout[" + destination + ", " + due + (key == null ? "" : ", " + key) + "]";
  }

  static Due requireTime(Instant time) {
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new InvalidMessageException(
          "The timeout is due at "
              + time
              + ": it must be from "
              + EARLIEST
              + " to "
              + LATEST
              + ". Nothing was stored.");
    }
    return Due.at(time);
  }

  static Due requireDelay(Duration delay) {
    if (delay.isNegative()) {
      throw new InvalidMessageException(
          "The timeout's delay is " + delay + ": it must not be negative. Nothing was stored.");
    }
    return Due.after(delay);
  }

  /** Sets the options of a timeout. A blank text means none. Not thread-safe. */
  public static final class Builder {
    private final String destination;
    private @Nullable Due due;
    private @Nullable UUID id;
    private @Nullable String key;
    private @Nullable Object payload;
    private @Nullable TypeReference<?> type;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable Transaction transaction;
    private Map<String, Object> headers = Map.of();

    private Builder(String destination) {
      this.destination = Limits.requireName("timeout's destination", destination);
    }

    private Builder(Timeout timeout) {
      destination = timeout.destination;
      due = timeout.due;
      id = timeout.id;
      key = timeout.key;
      payload = timeout.payload;
      type = timeout.type;
      correlationId = timeout.correlationId;
      causationId = timeout.causationId;
      transaction = timeout.transaction;
      headers = timeout.headers;
    }

    /**
     * Due that long after the store accepts it, by the store's clock.
     *
     * @throws InvalidMessageException if the delay is negative
     */
    public Builder after(Duration delay) {
      due = requireDelay(delay);
      return this;
    }

    /**
     * Due at that time by the store's clock; at once if it has passed.
     *
     * @throws InvalidMessageException if the time is before {@link #EARLIEST} or after {@link
     *     #LATEST}
     */
    public Builder at(Instant time) {
      due = requireTime(time);
      return this;
    }

    /**
     * The caller's own id: requesting the same one twice is a duplicate. Default: a new one.
     *
     * @throws InvalidMessageException if it is the nil UUID
     */
    public Builder id(UUID value) {
      if (value == null || value.equals(NIL)) {
        throw new InvalidMessageException(
            "The timeout's id is " + value + ": leave it out, or give one that is not empty.");
      }
      id = value;
      return this;
    }

    /**
     * A name for one waiting timeout, to cancel or to reschedule it by. Requesting another timeout
     * with this key replaces it, unless it is being dispatched already.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder key(@Nullable String value) {
      key = Limits.key("timeout's key", value);
      return this;
    }

    /** The payload; its type needs a contract. */
    public Builder payload(Object value) {
      payload = value;
      type = null;
      return this;
    }

    /** A payload of a generic type, which needs a contract. */
    public <T> Builder payload(T value, TypeReference<T> of) {
      payload = value;
      type = of;
      return this;
    }

    /**
     * The conversation that the timeout is part of.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder correlationId(@Nullable String value) {
      correlationId = Limits.key("correlation id", value);
      return this;
    }

    /**
     * The message or request that caused the timeout.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder causationId(@Nullable String value) {
      causationId = Limits.key("causation id", value);
      return this;
    }

    /** Adds a text header; with the name of its type it has at most 4,096 characters. */
    public Builder header(String name, String value) {
      return put(name, value);
    }

    /** Adds a header that is a whole number. */
    public Builder header(String name, long value) {
      return put(name, value);
    }

    /** Adds a header that is a floating-point number. */
    public Builder header(String name, double value) {
      return put(name, value);
    }

    /** Adds a header that is true or false. */
    public Builder header(String name, boolean value) {
      return put(name, value);
    }

    /** Adds a header that is a time. */
    public Builder header(String name, Instant value) {
      return put(name, value);
    }

    private Builder put(String name, Object value) {
      headers = TypedHeaders.add(headers, name, value);
      return this;
    }

    /** Joins this transaction: stored only if it commits. */
    public Builder in(@Nullable Transaction value) {
      transaction = value;
      return this;
    }

    /**
     * The timeout.
     *
     * @throws InvalidMessageException if neither {@link #after} nor {@link #at} was set
     */
    public Timeout build() {
      if (due == null) {
        throw new InvalidMessageException(
            "The timeout for '"
                + destination
                + "' does not say when it is due: set after(…) or at(…). Nothing was stored.");
      }
      return new Timeout(this, due);
    }
  }
}
