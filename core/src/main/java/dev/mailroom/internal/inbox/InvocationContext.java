package dev.mailroom.internal.inbox;

import dev.mailroom.InboxOptions;
import dev.mailroom.internal.engine.EngineContext;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.HandlerResolver;

/**
 * What single and batch processors share.
 *
 * @param codecs decode payloads
 * @param resolver supplies handlers registered by class
 * @param engine clocks, randomness, telemetry
 * @param mapper maps results of handlers to outcomes
 */
public record InvocationContext(
    Codecs codecs, HandlerResolver resolver, EngineContext engine, OutcomeMapper mapper) {

  /** For one inbox. */
  public static InvocationContext of(
      Channel channel,
      InboxOptions options,
      Codecs codecs,
      HandlerResolver resolver,
      EngineContext engine) {
    OutcomeMapper mapper =
        new OutcomeMapper(
            channel.name(),
            channel.policy().keepDeadLetters(),
            options.handling().park(),
            engine.random(),
            engine.telemetry());
    return new InvocationContext(codecs, resolver, engine, mapper);
  }
}
