package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.internal.WorkerNames;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a mailroom, with or without handlers in this process.
 *
 * @param channel its name, ordering and policy
 * @param store the store of its messages
 * @param options how it is processed
 * @param processor handles its messages; null if this process only writes
 */
public record ChannelDefinition(
    Channel channel, Store store, InboxOptions options, @Nullable MessageProcessor processor) {

  /** What an engine needs to process it, or null if this process only writes. */
  @Nullable ChannelSpec spec(EngineContext context) {
    if (processor == null) {
      return null;
    }
    String worker = WorkerNames.nameOr(options.leasing().worker(), context.random());
    return new ChannelSpec(channel, store, options, worker, processor);
  }
}
