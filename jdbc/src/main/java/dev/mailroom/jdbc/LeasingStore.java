package dev.mailroom.jdbc;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Lease;
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
  public Arrival appendLeased(Channel channel, List<NewMessage> messages, LeaseRequest request) {
    Arrival arrival = arrive(channel, messages, request);
    long accepted = arrival.results().stream().filter(AppendResult::accepted).count();
    Lease lease = arrival.lease();
    if (accepted > (lease == null ? 0 : lease.messages().size())) {
      stirred(channel);
    }
    return arrival;
  }
}
