package dev.mailroom.processes;

import dev.mailroom.Inbox;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Turns timeouts into messages of their channel. */
final class TimeoutWriting {
  /** What is stored for a timeout that brings nothing along; JSON, for columns that want it. */
  static final Payload NOTHING =
      new Payload(
          new Contract("mailroom.nothing", 1),
          "application/json",
          "null".getBytes(StandardCharsets.UTF_8));

  private TimeoutWriting() {}

  /**
   * The message that stands for a timeout, to be written to the timeouts' inbox. Its key is its
   * deduplication key, by which it is found, and its collapse key, by which it replaces another.
   * The payload comes encoded: keys of its own are for the message that it becomes, if it becomes
   * one.
   */
  static Outgoing message(Timeout timeout, Inbox inbox, TimeSource time) {
    requireRange(timeout.due, time);
    WriteOptions options =
        WriteOptions.builder().header(HeaderText.DESTINATION, timeout.destination).build();
    if (timeout.due instanceof Due.At at) {
      options = options.visibleAfter(at.time());
    } else if (timeout.due instanceof Due.After after) {
      options = options.delay(after.delay());
    }
    if (timeout.id != null) {
      options = options.messageId(timeout.id);
    }
    if (timeout.key != null) {
      options = options.deduplicationKey(timeout.key).collapseKey(timeout.key);
    }
    if (timeout.type != null) {
      options = options.type(timeout.type);
    }
    if (timeout.correlationId != null) {
      options = options.correlationId(timeout.correlationId);
    }
    if (timeout.causationId != null) {
      options = options.causationId(timeout.causationId);
    }
    if (timeout.transaction != null) {
      options = options.in(timeout.transaction);
    }
    for (var header : timeout.headers.entrySet()) {
      options = options.header(header.getKey(), HeaderText.write(header.getValue()));
    }
    Payload payload = timeout.payload == null ? NOTHING : inbox.encode(timeout.payload, options);
    return new Outgoing(payload, options);
  }

  /** The latest time that a store can keep for a delay is known only when that begins. */
  static void requireRange(Due due, TimeSource time) {
    if (due instanceof Due.After after) {
      Instant now = time.now();
      if (after.delay().compareTo(Duration.between(now, Timeout.LATEST)) > 0) {
        throw new InvalidMessageException(
            "The timeout is due "
                + after.delay()
                + " after now, beyond "
                + Timeout.LATEST
                + ", the latest time there is. Nothing was stored.");
      }
    }
  }
}
