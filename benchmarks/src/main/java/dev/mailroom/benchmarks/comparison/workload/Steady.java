package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.time.Duration;

/** How fast messages are handled while as many are appended, in large transactions. */
record Steady(Session session, Server server) {
  private static final int MOST_WAITING = 20_000;
  private static final int LEAST_WAITING = 500;
  private static final double SLOW = 1_000;
  private static final int RAMP_PARTS = 3;

  static void run(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      new Turns(
              session, new Key(Names.STEADY, Names.SINGLE, server.name()), Unit.MESSAGES_PER_SECOND)
          .take(
              session.field().line(server.kind(), Mode.SINGLE, Ability.DRAIN, Ability.STREAM),
              session.plan().timing().run(),
              new Steady(session, server)::measure);
    }
  }

  Reading measure(Entry entry, Duration time) throws Exception {
    Tally tally = new Tally(0);
    try (Arena arena = Arena.open(server);
        Contender contender =
            entry.open(arena.place(tally), session.setups().best(server, entry))) {
      arena.settleDown();
      contender.start();
      Reading reading;
      long appended;
      try (Pump pump = new Pump(contender, tally, Jobs.in(0), bound(entry))) {
        tally.awaitFirst();
        pump.work(time.dividedBy(RAMP_PARTS));
        Meter meter = Meter.begin(server);
        long before = tally.handled();
        pump.work(time);
        reading = meter.read(tally.handled() - before);
        appended = pump.end();
      }
      contender.stop();
      tally.check(appended, contender.left());
      return reading;
    }
  }

  /** What it handles in half a second: enough to keep it busy, and soon there. */
  private int bound(Entry entry) {
    double half = session.pace(server, entry, SLOW) / 2;
    return (int) Math.max(LEAST_WAITING, Math.min(MOST_WAITING, half));
  }
}
