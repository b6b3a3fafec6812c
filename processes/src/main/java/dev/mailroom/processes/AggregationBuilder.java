package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes an {@link Aggregation}.
 *
 * @param <T> the messages' type
 */
public final class AggregationBuilder<T> {
  /** The most messages of one batch: {@value}. */
  public static final int MAX_COUNT = 10_000;

  private final String name;
  private final Class<T> type;
  private @Nullable Function<T, String> key;
  private @Nullable AggregateHandler<T> handler;
  private int count = MAX_COUNT;
  private @Nullable Duration within;
  private @Nullable Store store;
  private Consumer<InboxOptionsBuilder> options = builder -> {};

  AggregationBuilder(String name, Class<T> type) {
    this.name = Limits.requireName("aggregation name", name);
    this.type = type;
  }

  /** Takes the key from a message: messages with one key are collected together. Required. */
  public AggregationBuilder<T> key(Function<T, String> value) {
    key = value;
    return this;
  }

  /**
   * How many messages make a batch. Default: 10,000. All messages of a batch together, with their
   * contracts, have at most 512 KiB, or what a payload can have if that is less: one that would go
   * over that begins the next batch.
   */
  public AggregationBuilder<T> count(int value) {
    count = value;
    return this;
  }

  /** How long after the first message a batch is handed over, full or not. Required. */
  public AggregationBuilder<T> within(Duration value) {
    within = value;
    return this;
  }

  /** Handles batches. Required. */
  public AggregationBuilder<T> handler(AggregateHandler<T> value) {
    handler = value;
    return this;
  }

  /** A store of its own. Default: the mailroom's. */
  public AggregationBuilder<T> store(Store value) {
    store = value;
    return this;
  }

  /** How batches are claimed, leased, retried and kept, from the defaults of an inbox. */
  public AggregationBuilder<T> options(Consumer<InboxOptionsBuilder> change) {
    options = options.andThen(change);
    return this;
  }

  /**
   * The aggregation, to be added to a mailroom.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Aggregation<T> build() {
    Violations violations = new Violations("Aggregation '" + name + "'");
    violations.check(
        key != null, "key", null, "is required: the key under which messages are collected");
    violations.check(handler != null, "handler", null, "is required: it handles the batches");
    violations.check(
        count >= 1 && count <= MAX_COUNT, "count", count, "must be from 1 to " + MAX_COUNT);
    violations.positive("within", within);
    violations.raise();
    return new Aggregation<>(
        new Description<>(
            name,
            type,
            Objects.requireNonNull(key),
            Objects.requireNonNull(handler),
            count,
            Objects.requireNonNull(within),
            store,
            InboxOptions.of(options.andThen(own -> own.ordering(Ordering.REQUIRED)))));
  }

  /**
   * What was described.
   *
   * @param name its name, and that of the inbox in which messages are collected
   * @param type the messages' type
   * @param key takes the key from a message
   * @param handler handles batches
   * @param count how many messages make a batch
   * @param within how long after its first message a batch is handed over
   * @param store a store of its own; null means the mailroom's
   * @param handling the options of the inbox of batches
   */
  record Description<T>(
      String name,
      Class<T> type,
      Function<T, String> key,
      AggregateHandler<T> handler,
      int count,
      Duration within,
      @Nullable Store store,
      InboxOptions handling) {

    String batches() {
      return name + "-batches";
    }

    InboxOptions collecting() {
      return InboxOptions.builder().ordering(Ordering.REQUIRED).build();
    }
  }
}
