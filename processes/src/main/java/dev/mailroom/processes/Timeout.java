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
 * A timeout to be requested: where it goes, when, and what it brings along. Immutable: each method
 * answers a changed copy, and refuses what cannot be stored. Blank texts mean none.
 */
public final class Timeout {
  /** The earliest time a timeout can be due: {@code 1970-01-01T00:00:00Z}. */
  public static final Instant EARLIEST = Instant.EPOCH;

  /** The latest time a timeout can be due: the end of the year 9999. */
  public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private static final UUID NIL = new UUID(0, 0);

  final String destination;
  final Due due;
  @Nullable UUID id;
  @Nullable String key;
  @Nullable Object payload;
  @Nullable TypeReference<?> type;
  @Nullable String correlationId;
  @Nullable String causationId;
  @Nullable Transaction transaction;
  Map<String, Object> headers = Map.of();

  private Timeout(String destination, Due due) {
    this.destination = Limits.requireName("timeout's destination", destination);
    this.due = due;
  }

  private Timeout with(Consumer<Timeout> change) {
    Timeout copy = new Timeout(destination, due);
    copy.id = id;
    copy.key = key;
    copy.payload = payload;
    copy.type = type;
    copy.correlationId = correlationId;
    copy.causationId = causationId;
    copy.transaction = transaction;
    copy.headers = headers;
    change.accept(copy);
    return copy;
  }

  /**
   * Due at that time by the store's clock; a time that has passed means now.
   *
   * @throws InvalidMessageException if the time is before {@link #EARLIEST} or after {@link
   *     #LATEST}
   */
  public static Timeout at(String destination, Instant time) {
    return new Timeout(destination, requireTime(time));
  }

  /**
   * Due that long after the store accepts it, by the store's clock.
   *
   * @throws InvalidMessageException if the delay is negative
   */
  public static Timeout after(String destination, Duration delay) {
    return new Timeout(destination, requireDelay(delay));
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

  /** The caller's own id: requesting the same one twice is a duplicate. Default: a new one. */
  public Timeout id(UUID value) {
    if (value == null || value.equals(NIL)) {
      throw new InvalidMessageException(
          "The timeout's id is " + value + ": leave it out, or give one that is not empty.");
    }
    return with(copy -> copy.id = value);
  }

  /**
   * A name for the one timeout that waits under it: to cancel or to move it by. Requesting another
   * one with this key replaces it, unless it is being dispatched already.
   */
  public Timeout key(@Nullable String value) {
    String checked = Limits.key("timeout's key", value);
    return with(copy -> copy.key = checked);
  }

  /** An object that comes along; its type needs a contract. */
  public Timeout payload(Object value) {
    return with(
        copy -> {
          copy.payload = value;
          copy.type = null;
        });
  }

  /** An object of a generic type that comes along. */
  public <T> Timeout payload(T value, TypeReference<T> of) {
    return with(
        copy -> {
          copy.payload = value;
          copy.type = of;
        });
  }

  /** The conversation it is part of. */
  public Timeout correlationId(@Nullable String value) {
    String checked = Limits.key("correlation id", value);
    return with(copy -> copy.correlationId = checked);
  }

  /** The message or request that caused it. */
  public Timeout causationId(@Nullable String value) {
    String checked = Limits.key("causation id", value);
    return with(copy -> copy.causationId = checked);
  }

  /** One more header, a text; with the name of its type it has at most 4,096 characters. */
  public Timeout header(String name, String value) {
    return put(name, value);
  }

  /** One more header, a whole number. */
  public Timeout header(String name, long value) {
    return put(name, value);
  }

  /** One more header, a floating-point number. */
  public Timeout header(String name, double value) {
    return put(name, value);
  }

  /** One more header, yes or no. */
  public Timeout header(String name, boolean value) {
    return put(name, value);
  }

  /** One more header, a time. */
  public Timeout header(String name, Instant value) {
    return put(name, value);
  }

  private Timeout put(String name, Object value) {
    Map<String, Object> more = HeaderText.add(headers, name, value);
    return with(copy -> copy.headers = more);
  }

  /** Joins this transaction: stored only if it commits. */
  public Timeout in(Transaction value) {
    return with(copy -> copy.transaction = value);
  }

  /** Where it goes. */
  public String destination() {
    return destination;
  }

  @Override
  public String toString() {
    return "Timeout[" + destination + ", " + due + (key == null ? "" : ", " + key) + "]";
  }
}
