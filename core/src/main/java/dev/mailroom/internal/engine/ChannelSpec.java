package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;

/**
 * A channel with its handlers, as one worker processes it.
 *
 * @param channel its name, ordering and policy
 * @param store the store of its messages
 * @param options how it is processed
 * @param worker this worker's name
 * @param processor handles its messages
 */
public record ChannelSpec(
    Channel channel, Store store, InboxOptions options, String worker, MessageProcessor processor) {

  /** The most messages of one work item. */
  int messagesPerItem() {
    int batch = options.reading().batch();
    if (processor.batched()) {
      return batch;
    }
    // One thread handles a group: a claim is divided so that every thread gets a group.
    return channel.ordering() == Ordering.NONE
        ? 1
        : Math.max(1, batch / options.handling().concurrency());
  }

  Telemetry.Tags tags() {
    return new Telemetry.Tags(channel.name(), null, null);
  }
}
