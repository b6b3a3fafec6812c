package dev.mailroom.jdbc;

import dev.mailroom.spi.Channel;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import java.util.List;

/** A store on a database in which one statement can store messages and lease them. */
class LeasingStore extends JdbcStore implements LeasingWriter {

  LeasingStore(JdbcStoreBuilder.Parts parts) {
    super(parts);
  }

  @Override
  public LeasedAppend appendLeased(
      Channel channel, List<NewMessage> messages, LeaseRequest request) {
    LeasedAppend arrival = arrive(channel, messages, request);
    if (arrival.hasUnleasedMessages()) {
      stirred(channel);
    }
    return arrival;
  }
}
