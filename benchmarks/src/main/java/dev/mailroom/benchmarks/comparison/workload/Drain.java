package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.time.Duration;

/**
 * How fast a backlog is handled that is there when the contender starts. The time begins with the
 * first message, so that nobody's start counts, and ends after a fixed time or with the last
 * message. The backlog is what the contender is known to handle in that time, and some more.
 *
 * @param groups the number of ordered groups; 0 means unordered
 * @param pending how many more messages wait at least, to the end
 * @param delayed how many messages are there beside that are not due
 */
record Drain(Session session, Server server, int groups, int pending, int delayed) {
  /** Extra: the heap that is in use at the end of the time, with what is pending, in MiB. */
  static final String HEAP = "heap MiB";

  private static final Duration LATER = Duration.ofHours(1);
  private static final double SLOW = 1_000;
  private static final double MORE = 1.5;
  private static final int LEAST = 500;

  /** Without anything else. */
  static Drain of(Session session, Server server) {
    return in(session, server, 0);
  }

  /** In ordered groups. */
  static Drain in(Session session, Server server, int groups) {
    return new Drain(session, server, groups, 0, 0);
  }

  /** With its best setup. */
  Reading measure(Entry entry, Duration time) throws Exception {
    return measure(entry, session.setups().best(server, entry), time);
  }

  Reading measure(Entry entry, Setup setup, Duration time) throws Exception {
    long backlog = backlog(entry, time);
    long due = backlog + pending;
    Tally tally = new Tally(groups);
    double heap = pending > 0 ? Heap.used() : 0;
    try (Arena arena = Arena.open(server);
        Contender contender = entry.open(arena.place(tally), setup)) {
      Jobs.in(groups).fill(contender, 0, due);
      new Jobs(0, LATER).fill(contender, due, delayed);
      arena.settleDown();
      Reading reading = handle(contender, tally, backlog, time);
      session.keepPace(server, entry, reading.value());
      if (pending > 0) {
        reading = reading.with(HEAP, Math.max(0, Heap.used() - heap));
      }
      contender.stop();
      tally.check(due + delayed, contender.left());
      return reading;
    }
  }

  private Reading handle(Contender contender, Tally tally, long backlog, Duration time)
      throws Exception {
    Meter start = Meter.begin(server);
    contender.start();
    tally.awaitFirst();
    Meter first = Meter.begin(server);
    long before = tally.handled();
    tally.await(backlog, time);
    // Whoever had done half of it before anyone could look is measured from the start.
    return before < backlog / 2
        ? first.read(tally.handled() - before)
        : start.read(tally.handled());
  }

  private long backlog(Entry entry, Duration time) {
    if (pending + delayed > 0) {
      return session.plan().sizes().backlog(); // a small part of what has to be written anyway
    }
    double expected = session.pace(server, entry, SLOW) * time.toMillis() / 1e3 * MORE;
    return (long) Math.max(LEAST, Math.min(session.plan().sizes().backlog(), expected));
  }
}
