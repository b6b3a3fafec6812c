package dev.mailroom.internal.inbox;

import dev.mailroom.InboxOptions;
import dev.mailroom.internal.engine.EngineContext;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.HandlerResolver;

/**
 * What both ways of calling handlers need.
 *
 * @param codecs decode payloads
 * @param resolver supplies handlers registered by class
 * @param context clocks, randomness, telemetry
 * @param verdicts judge what becomes of a message
 */
public record Calling(
    Codecs codecs, HandlerResolver resolver, EngineContext context, Verdicts verdicts) {

  /** For one inbox. */
  public static Calling of(
      Channel channel,
      InboxOptions options,
      Codecs codecs,
      HandlerResolver resolver,
      EngineContext context) {
    Verdicts verdicts =
        new Verdicts(
            channel.name(),
            channel.policy().keepDeadLetters(),
            options.handling().park(),
            context.random(),
            context.telemetry());
    return new Calling(codecs, resolver, context, verdicts);
  }
}
