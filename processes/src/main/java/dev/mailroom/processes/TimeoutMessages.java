package dev.mailroom.processes;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Turns timeouts into messages of their channel. */
final class TimeoutMessages {
  /** Stored for a timeout without a payload; JSON, for columns that require it. */
  static final Payload NO_PAYLOAD =
      new Payload(
          new Contract("mailroom.no-payload", 1),
          "application/json",
          "null".getBytes(StandardCharsets.UTF_8));

  private TimeoutMessages() {}

  /**
   * The message of a timeout, to be written to the timeouts' channel. Its key is both its
   * deduplication key, by which it is found, and its collapse key, by which it replaces another.
   * The payload is encoded already, because the payload's own keys are for the message that it may
   * become at its destination.
   */
  static Outgoing message(Timeout timeout, MessageChannel channel, TimeSource time) {
    requireRange(timeout.due(), time);
    WriteOptions.Builder builder =
        WriteOptions.builder()
            .header(TypedHeaders.DESTINATION, timeout.destination())
            .due(timeout.due())
            .messageId(timeout.id())
            .deduplicationKey(timeout.key())
            .collapseKey(timeout.key())
            .type(timeout.type())
            .correlationId(timeout.correlationId())
            .causationId(timeout.causationId())
            .in(timeout.transaction());
    timeout.headers().forEach((name, value) -> builder.header(name, TypedHeaders.write(value)));
    WriteOptions options = builder.build();
    Object given = timeout.payload();
    Payload payload = given == null ? NO_PAYLOAD : channel.encode(given, options);
    return new Outgoing(payload, options);
  }

  /**
   * Refuses a due time that stores cannot hold.
   *
   * @throws InvalidMessageException if it is out of range, or its delay is negative
   */
  static void requireRange(Due due, TimeSource time) {
    if (due instanceof Due.At at) {
      Timeout.requireTime(at.time());
    } else if (due instanceof Due.After after) {
      Timeout.requireDelay(after.delay());
      Instant now = time.now();
      if (after.delay().compareTo(Duration.between(now, Timeout.LATEST)) > 0) {
        throw new InvalidMessageException(
            "The timeout is due "
                + after.delay()
                + " after now, beyond "
                + Timeout.LATEST
                + ", the latest time that can be stored. Nothing was stored.");
      }
    }
  }
}
