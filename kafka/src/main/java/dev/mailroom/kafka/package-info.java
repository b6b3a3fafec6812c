/**
 * Publishes the events of an outbox to Kafka: {@link dev.mailroom.kafka.KafkaDispatcher}.
 *
 * <p>Order per key holds through failures, because of one key only one event is on its way at a
 * time. What a record looks like is a {@link dev.mailroom.kafka.RecordFormat}.
 */
@NullMarked
package dev.mailroom.kafka;

import org.jspecify.annotations.NullMarked;
