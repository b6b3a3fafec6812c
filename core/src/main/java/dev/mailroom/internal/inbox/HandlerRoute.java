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
 * How messages of one contract are decoded and handled.
 *
 * @param storedType what the stored payload decodes into
 * @param upgraders convert it, in order, to the type that the handler takes
 * @param source the handler
 * @param retry the policy for its failures
 * @param timeout the limit of one call, or null
 * @param tags channel, contract and handler, for telemetry
 * @param <H> the handler's interface
 */
record HandlerRoute<H>(
    Type storedType,
    List<Function<Object, Object>> upgraders,
    HandlerSource<H> source,
    RetryPolicy retry,
    @Nullable Duration timeout,
    Telemetry.Tags tags) {

  /** The payload as the handler takes it; throws the errors of the codec and the upgraders. */
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
