package dev.mailroom.internal.inbox;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.PayloadCodec;
import dev.mailroom.spi.Telemetry;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How messages of one contract get to their handler.
 *
 * @param storedType what the stored payload decodes into
 * @param upgraders what turns it, one after another, into what the handler takes
 * @param source the handler
 * @param retry what becomes of its failures
 * @param timeout how long one call may take, or null
 * @param tags channel, contract and handler, for telemetry
 * @param <H> the handler's interface
 */
record Route<H>(
    Type storedType,
    List<Function<Object, Object>> upgraders,
    HandlerSource<H> source,
    RetryPolicy retry,
    @Nullable Duration timeout,
    Telemetry.Tags tags) {

  /** The payload as the handler takes it; throws whatever the codec or an upgrader throws. */
  Object decode(Message message, Codecs codecs) {
    Payload payload = message.envelope().payload();
    if (storedType == Payload.class) {
      return payload; // for a relay
    }
    PayloadCodec codec = codecs.forContentType(payload.contentType());
    Object decoded = codec.decode(payload.bytes(), storedType);
    for (Function<Object, Object> upgrader : upgraders) {
      decoded = upgrader.apply(decoded);
    }
    if (decoded == null) {
      throw new IllegalArgumentException("The payload decodes to null.");
    }
    return decoded;
  }
}
