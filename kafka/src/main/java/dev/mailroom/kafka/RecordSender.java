package dev.mailroom.kafka;

import dev.mailroom.Result;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the events of one batch, and sees to it that a batch waits for its cluster only once: the
 * producer blocks its caller while it looks for a topic or for room in its buffer, so what it was
 * not to be had for is not asked for again in this batch.
 */
final class RecordSender {
  private final Producer<byte[], byte[]> producer;
  private final RecordFormat format;
  private final @Nullable String defaultTopic;
  private final Failures failures;
  private final Set<String> found = new HashSet<>();
  private final Map<String, Throwable> unreachable = new HashMap<>();
  private @Nullable Throwable outage;
  private @Nullable Throwable deferralError;
  private int deferredCount;

  RecordSender(
      Producer<byte[], byte[]> producer,
      RecordFormat format,
      @Nullable String defaultTopic,
      Failures failures) {
    this.producer = producer;
    this.format = format;
    this.defaultTopic = defaultTopic;
    this.failures = failures;
  }

  /** An event on its way. */
  interface Pending {
    /** Waits until it is acknowledged or given up, which the producer bounds. */
    Result await() throws InterruptedException;
  }

  /** How many of the batch will be retried because of a transient failure. */
  int deferredCount() {
    return deferredCount;
  }

  /** The first error for which one of them was deferred, or null. */
  @Nullable Throwable deferralError() {
    return deferralError;
  }

  Pending send(OutboxMessage message) throws InterruptedException {
    String topic = message.topic() == null ? defaultTopic : message.topic();
    if (topic == null) {
      return () -> Result.deadLetter("It has no topic, and the dispatcher has no default topic.");
    }
    Throwable refused = lookUp(topic);
    if (refused != null) {
      return () -> failed(topic, refused);
    }
    ProducerRecord<byte[], byte[]> record;
    try {
      record = format.toRecord(topic, message);
    } catch (RuntimeException error) {
      return () -> Result.deadLetter("It cannot be made a record for Kafka: " + error);
    }
    return send(topic, record);
  }

  /** Finds the topic; answers why it cannot be had, or null. */
  private @Nullable Throwable lookUp(String topic) throws InterruptedException {
    if (found.contains(topic)) {
      return outage;
    }
    Throwable known = outage == null ? unreachable.get(topic) : outage;
    if (known != null) {
      return known;
    }
    try {
      producer.partitionsFor(topic);
      found.add(topic);
      return null;
    } catch (InterruptException e) {
      throw interrupted(e);
    } catch (KafkaException | IllegalStateException e) {
      unreachable.put(topic, e);
      if (Failures.isOutage(e)) {
        outage = e;
      }
      return e;
    }
  }

  private Pending send(String topic, ProducerRecord<byte[], byte[]> record)
      throws InterruptedException {
    try {
      Future<RecordMetadata> future = producer.send(record);
      if (!future.isDone()) {
        return () -> await(topic, future);
      }
      Result answer = await(topic, future);
      if (answer.outcome() instanceof HandlerOutcome.Deferred) {
        outage = deferralError; // it had no room in its buffer for as long as it may block
      }
      return () -> answer;
    } catch (InterruptException e) {
      throw interrupted(e);
    } catch (KafkaException | IllegalStateException e) {
      return () -> failed(topic, e);
    }
  }

  private Result await(String topic, Future<RecordMetadata> future) throws InterruptedException {
    try {
      future.get();
      return Result.success();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return failed(topic, cause);
    }
  }

  private Result failed(String topic, Throwable error) {
    Result answer = failures.answer(topic, error);
    if (answer.outcome() instanceof HandlerOutcome.Deferred) {
      deferralError = deferralError == null ? error : deferralError;
      deferredCount++;
    }
    return answer;
  }

  private static InterruptedException interrupted(InterruptException error) {
    // Kafka has set the flag again, which the exception stands for from here on.
    Thread.interrupted();
    InterruptedException interrupted = new InterruptedException("Interrupted while publishing");
    interrupted.initCause(error);
    return interrupted;
  }
}
