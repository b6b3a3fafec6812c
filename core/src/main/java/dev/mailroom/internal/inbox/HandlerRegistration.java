package dev.mailroom.internal.inbox;

import dev.mailroom.HandlerOptions;
import dev.mailroom.messages.Payload;
import java.lang.reflect.Type;

/**
 * A registered handler.
 *
 * @param type the payload's type
 * @param source where the handler comes from
 * @param options its own options
 * @param <H> the handler's interface
 */
public record HandlerRegistration<H>(Type type, HandlerSource<H> source, HandlerOptions options) {

  /** Whether it takes the payloads of all contracts as they are stored. */
  public boolean isRelay() {
    return type == Payload.class;
  }
}
