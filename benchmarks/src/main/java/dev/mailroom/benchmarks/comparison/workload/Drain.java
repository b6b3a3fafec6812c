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
 */
record Drain(Session session, Server server, int groups) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final double SLOW = 1_000;
  private static final double MORE = 1.5;
  private static final int LEAST = 500;

  /** With its best setup. */
  Reading measure(Entry entry, Duration time) throws Exception {
    return measure(entry, session.setups().best(server, entry), time);
  }

  Reading measure(Entry entry, Setup setup, Duration time) throws Exception {
    long backlog = backlog(entry, time);
    Tally tally = new Tally(groups);
    try (Arena arena = Arena.open(server);
        Contender contender = entry.open(arena.place(tally), setup)) {
      Jobs.in(groups).fill(contender, 0, backlog);
      arena.settleDown();
      Meter meter = Meter.begin(server);
      contender.start();
      if (!tally.await(1, PATIENCE)) {
        throw new BrokenPromiseException("nothing was handled within " + PATIENCE);
      }
      long before = 0;
      Meter warm = Meter.begin(server);
      long seen = tally.handled();
      if (seen < backlog / 2) {
        before = seen;
        meter = warm;
      }
      tally.await(backlog, time);
      Reading reading = meter.read(tally.handled() - before);
      contender.stop();
      tally.check(backlog, contender.left());
      session.keepPace(server, entry, reading.value());
      return reading;
    }
  }

  private long backlog(Entry entry, Duration time) {
    double expected = session.pace(server, entry, SLOW) * time.toMillis() / 1e3 * MORE;
    return (long) Math.max(LEAST, Math.min(session.plan().sizes().backlog(), expected));
  }
}
