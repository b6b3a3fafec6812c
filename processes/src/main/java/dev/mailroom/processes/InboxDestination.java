package dev.mailroom.processes;

import dev.mailroom.Result;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Transactional;

/**
 * Writes the payloads of timeouts to an inbox. If the inbox is in the timeouts' store, the message
 * is written in the transaction that completes the timeout; otherwise under the timeout's id, so
 * that a repetition is a duplicate.
 */
final class InboxDestination implements TimeoutDestination {
  private final String name;
  private final FacadeChannel timeouts;

  InboxDestination(String name, FacadeChannel timeouts) {
    this.name = name;
    this.timeouts = timeouts;
  }

  /**
   * Looks the inbox up.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  void requireInbox(FacadeContext context) {
    context.channel(name);
  }

  @Override
  public Result fire(FiredTimeout timeout) {
    FacadeContext context = timeouts.context();
    MessageChannel target = context.channel(name);
    // Decoded before its contract is asked for: the timeout recognizes its own decoding errors.
    Object payload = timeout.payload(Object.class);
    WriteOptions.Builder options =
        WriteOptions.builder()
            .type(context.typeOf(timeout.message().envelope().payload()))
            .messageId(timeout.id())
            .causationId(timeout.id().toString())
            .correlationId(timeout.correlationId());
    timeout.headers().forEach((header, value) -> options.header(header, value.toString()));
    if (target.sharesStoreWith(timeouts.channel()) && target.store() instanceof Transactional) {
      options.in(timeout.transaction());
    }
    target.write(payload, options.build());
    return Result.success();
  }
}
