package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Entry;
import java.util.List;

/** All of them. */
public final class Peers {
  private Peers() {}

  /** In the order of the tables. */
  public static List<Entry> all() {
    return List.of(
        DbSchedulerPeer.entry(),
        TransactionOutboxPeer.entry(),
        JobRunrPeer.entry(),
        NamastackOutboxPeer.entry(),
        QuartzPeer.entry());
  }
}
