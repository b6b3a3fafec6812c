package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.internal.WorkerNames;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import org.jspecify.annotations.Nullable;

/**
 * A channel as a mailroom knows it, with or without handlers in this process.
 *
 * @param channel its name, ordering and policy
 * @param store where its messages live
 * @param options how it is worked on
 * @param processor who handles its messages; null if it is write-only here
 */
public record Line(
    Channel channel, Store store, InboxOptions options, @Nullable MessageProcessor processor) {

  /** What an engine needs to work on it, or null if it is write-only here. */
  @Nullable ChannelSpec spec(EngineContext context) {
    if (processor == null) {
      return null;
    }
    String worker = WorkerNames.nameOr(options.leasing().worker(), context.random());
    return new ChannelSpec(channel, store, options, worker, processor);
  }
}
