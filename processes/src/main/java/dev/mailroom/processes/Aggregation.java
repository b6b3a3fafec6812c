package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.HandlerOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Collects messages under a key until there are enough of them or a time is over, and hands them
 * over as one batch. What was collected survives a crash, and so does the time.
 *
 * <pre>{@code
 * Aggregation<Reading> readings =
 *     Aggregation.of("readings", Reading.class)
 *         .key(Reading::sensor)
 *         .count(100)
 *         .within(Duration.ofMinutes(1))
 *         .handler(aggregate -> {
 *           store(aggregate.key(), aggregate.messages());
 *           return Result.success();
 *         })
 *         .build();
 * }</pre>
 *
 * <p>Thread-safe.
 *
 * @param <T> the messages' type
 */
public final class Aggregation<T> implements Facade {
  private final AggregationBuilder.Description<T> description;
  private final FacadeChannel own;
  private final AggregateCollector collector;

  Aggregation(AggregationBuilder.Description<T> description) {
    this.description = description;
    this.own = new FacadeChannel("aggregation", description.name());
    this.collector =
        new AggregateCollector(
            description.name(), description.batches(), description.count(), description.within());
  }

  /**
   * Describes an aggregation.
   *
   * @param name its name, which is that of the inbox in which messages are collected; batches wait
   *     in a second one, {@code <name>-batches}
   */
  public static <T> AggregationBuilder<T> of(String name, Class<T> type) {
    return new AggregationBuilder<>(name, type);
  }

  /** Collects a message; see {@link #add(Object, WriteOptions)}. */
  public Receipt add(T message) {
    return add(message, WriteOptions.defaults());
  }

  /**
   * Collects a message with options: {@code readings.add(reading, options ->
   * options.tenant("acme"))}. Returns and throws as {@link #add(Object, WriteOptions)}.
   */
  public Receipt add(T message, Consumer<WriteOptions.Builder> options) {
    return add(message, WriteOptions.of(options));
  }

  /**
   * Collects a message under its key; returns after it is stored, or, in a transaction, after it is
   * part of it.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if its key is blank; nothing was stored
   */
  public Receipt add(T message, WriteOptions options) {
    String key = Limits.requireName("aggregation key", description.key().apply(message));
    return own.channel().write(message, options.toBuilder().groupKey(key).build());
  }

  private Result handOver(Delivery<Payload> delivery) throws Exception {
    AggregateBatch batch;
    List<T> messages = new ArrayList<>();
    try {
      batch = AggregateBatch.decode(delivery.payload());
      for (Payload payload : batch.payloads()) {
        messages.add(description.type().cast(own.context().decode(payload)));
      }
    } catch (UnknownContractException unknown) {
      return Result.of(new HandlerOutcome.Parked(String.valueOf(unknown.getMessage())));
    } catch (MailroomException undecodable) {
      return Result.of(HandlerOutcome.undecodable(undecodable));
    }
    String key = AggregateCollector.keyOf(delivery);
    return description.handler().handle(new Aggregate<>(key, messages, batch.since(), delivery));
  }

  /** Its name. */
  public String name() {
    return own.name();
  }

  /** Its dead letters: batches whose handler ran out of attempts or failed permanently. */
  public DeadLetters deadLetters() {
    return own.context().channel(description.batches()).deadLetters();
  }

  /**
   * Queries over its batches: how many wait to be handled, and which. Messages that are not
   * collected yet are those of the inbox {@link #name}.
   *
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return own.context().channel(description.batches()).inspect();
  }

  /**
   * Collects and hands over everything that is due now, on the caller's thread.
   *
   * @return how many messages and batches were handled, successfully or not
   */
  public long processPending() {
    return own.context().processPending(description.name())
        + own.context().processPending(description.batches());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    if (description.type().isAnnotationPresent(MessageContract.class)) {
      builder.contracts(known -> known.register(description.type()));
    }
    builder.inbox(
        description.name(),
        inbox ->
            in(inbox.options(description.collecting()))
                .relay(delivery -> collector.handle(own.context(), delivery)));
    builder.inbox(
        description.batches(),
        inbox -> in(inbox.options(description.handling())).relay(this::handOver));
  }

  private InboxBuilder in(InboxBuilder inbox) {
    return description.store() == null ? inbox : inbox.store(description.store());
  }

  @Override
  public void opened(FacadeContext context) {
    own.opened(context);
  }

  @Override
  public String toString() {
    return "Aggregation '" + description.name() + "'";
  }
}
