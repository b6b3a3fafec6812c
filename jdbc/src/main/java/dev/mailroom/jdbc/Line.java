package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;

/**
 * One channel as one verb sees it.
 *
 * @param session the transaction
 * @param id the channel's number
 * @param channel its name, ordering and policy
 */
record Line(Session session, int id, Channel channel) {
  /** Goes to the tables in which the channel lives. */
  Line {
    session = session.on(session.schema.of(channel.name()));
  }

  ChannelPolicy policy() {
    return channel.policy();
  }

  String name() {
    return channel.name();
  }
}
