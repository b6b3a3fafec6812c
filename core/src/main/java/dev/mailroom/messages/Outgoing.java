package dev.mailroom.messages;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * A payload with write options of its own, for a batch.
 *
 * @param payload what to write
 * @param options the options of this message; without a transaction, because the batch has one
 */
public record Outgoing(Object payload, WriteOptions options) {
  /** Refuses null options. */
  public Outgoing {
    Objects.requireNonNull(options, "options");
  }

  /** A payload with options: {@code Outgoing.of(order, options -> options.groupKey("4711"))}. */
  public static Outgoing of(Object payload, Consumer<WriteOptions.Builder> settings) {
    return new Outgoing(payload, WriteOptions.of(settings));
  }
}
