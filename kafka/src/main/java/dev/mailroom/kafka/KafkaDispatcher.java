package dev.mailroom.kafka;

import dev.mailroom.Result;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Contract;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.KnowsTopics;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the events of an outbox to Kafka, many at a time, each acknowledged by all in-sync
 * replicas. The event's topic is Kafka's topic, and its key is the record's key.
 *
 * <p>Of one key only one event is on its way at a time, and the next goes when that one is
 * acknowledged; events of different keys, and those without a key, go together. So whatever fails,
 * no event overtakes an earlier one of its key.
 *
 * <p>Answers: what may pass by itself (no leader, no connection, a time-out) is retried after
 * {@link KafkaDispatcherBuilder#retryAfter}; a topic that does not exist and a refused
 * authorization fail, since an operator must act before the attempts run out; what can never be
 * published, such as a record that is too large, is dead at once.
 *
 * <p>Thread-safe. To be closed after the mailroom was stopped; a producer that was given to it is
 * not closed.
 */
public final class KafkaDispatcher implements BatchDispatcher, KnowsTopics, AutoCloseable {
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Producer<byte[], byte[]> producer;
  private final boolean owned;
  private final RecordFormat format;
  private final @Nullable String defaultTopic;
  private final Failures failures;

  KafkaDispatcher(KafkaDispatcherBuilder builder, Producer<byte[], byte[]> producer) {
    this.producer = producer;
    this.owned = builder.producer == null;
    this.format = builder.format;
    this.defaultTopic = builder.defaultTopic;
    this.failures = new Failures(builder.retryAfter);
  }

  /** Describes a dispatcher. */
  public static KafkaDispatcherBuilder builder() {
    return new KafkaDispatcherBuilder();
  }

  @Override
  public List<@Nullable Result> dispatchAll(List<OutboxMessage> messages)
      throws InterruptedException {
    RecordSender sender = new RecordSender(producer, format, defaultTopic, failures);
    List<@Nullable Result> answers = new KafkaBatch(messages, sender).publish();
    failures.report(sender);
    return answers;
  }

  @Override
  public void requireKnown(@Nullable String topic, Contract contract) {
    String actual = topic == null ? defaultTopic : topic;
    if (actual == null) {
      throw new InvalidMessageException(
          "An event of contract '"
              + contract
              + "' has no topic, and the Kafka dispatcher has no default topic: give it one."
              + " Nothing was stored.");
    }
    if (!Topics.isLegal(actual)) {
      throw new InvalidMessageException(
          "The topic '" + actual + "' " + Topics.RULE + " Nothing was stored.");
    }
  }

  /** Closes the producer, if this dispatcher has made it. */
  @Override
  public void close() {
    if (owned) {
      producer.close(CLOSING);
    }
  }
}
