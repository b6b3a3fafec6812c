package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import java.util.List;

/** Refuses what a channel cannot keep, before anything is written. */
final class Storable {
  private Storable() {}

  static void require(Schema schema, Channel channel, List<NewMessage> messages) {
    GroupKey.require(channel, messages);
    if (schema.of(channel.name()).payloads() == PayloadColumn.JSON) {
      JsonPayloads.require(messages);
    }
  }
}
