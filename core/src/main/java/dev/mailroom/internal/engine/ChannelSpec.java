package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;

/**
 * A channel as one process works on it.
 *
 * @param channel its name, ordering and policy
 * @param store where its messages live
 * @param options how it is worked on
 * @param worker this worker's name
 * @param processor who handles its messages
 */
public record ChannelSpec(
    Channel channel, Store store, InboxOptions options, String worker, MessageProcessor processor) {

  /** How many messages one handler call or one turn of a group takes at most. */
  int messagesPerWork() {
    int batch = options.reading().batch();
    if (processor.batched()) {
      return batch;
    }
    // A turn of a group is worked on by one thread: shared out so that all threads get some.
    return channel.ordering() == Ordering.NONE
        ? 1
        : Math.max(1, batch / options.handling().concurrency());
  }

  Telemetry.Tags tags() {
    return new Telemetry.Tags(channel.name(), null, null);
  }
}
