package dev.mailroom.kafka;

import dev.mailroom.Result;
import java.time.Duration;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what becomes of an event that Kafka did not take. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaDispatcher.class);

  private final Duration retryAfter;

  Failures(Duration retryAfter) {
    this.retryAfter = retryAfter;
  }

  Result answer(String topic, Throwable error) {
    if (isUnknownTopic(error)) {
      return Result.fail(
          "The topic '"
              + topic
              + "' does not exist in Kafka, or may not be seen: create it, or correct the topic of"
              + " the event. ("
              + error.getMessage()
              + ")");
    }
    if (error instanceof RecordTooLargeException) {
      return Result.deadLetter(
          "It is too large for the topic '"
              + topic
              + "': raise the topic's max.message.bytes and the producer's max.request.size, and"
              + " redrive it. ("
              + error.getMessage()
              + ")");
    }
    if (isPermanent(error)) {
      return Result.deadLetter(
          "Kafka refused it for the topic '" + topic + "': " + error.getMessage());
    }
    if (error instanceof AuthorizationException || error instanceof AuthenticationException) {
      return Result.fail(
          "This application may not write to the topic '"
              + topic
              + "': grant it the right, or correct its credentials. ("
              + error.getMessage()
              + ")");
    }
    return error instanceof RetriableException ? Result.retryLater(retryAfter) : Result.fail(error);
  }

  private static boolean isPermanent(Throwable error) {
    return error instanceof InvalidTopicException
        || error instanceof InvalidRecordException
        || error instanceof InvalidTimestampException
        || error instanceof SerializationException;
  }

  /** The producer looks for a topic until it is out of time, and then says why in the cause. */
  private static boolean isUnknownTopic(Throwable error) {
    return error instanceof UnknownTopicOrPartitionException
        || error.getCause() instanceof UnknownTopicOrPartitionException;
  }

  /** Whether the whole cluster is out of reach, and not one topic. */
  static boolean isOutage(Throwable error) {
    return error instanceof RetriableException && !isUnknownTopic(error);
  }

  /** An answer that defers an event has no room for the reason; the log has. */
  void report(RecordSender sender) {
    Throwable reason = sender.deferralError();
    if (reason != null) {
      LOG.warn(
          "Kafka is out of reach; {} of a batch are retried in {}: {}",
          sender.deferredCount(),
          retryAfter,
          reason.toString());
    }
  }
}
