package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import dev.mailroom.databases.ChildJvm;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** The time from an append's return to its handler, and how late timers are. */
final class Latency {
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** So rarely that no wake-up is held back because of the one before. */
  private static final double IDLE_RATE = 15;

  private static final double SLOWEST = 10;
  private static final int WRITERS = 8;
  private static final int MOST_WAITING = 1_000;

  /** Those whose writers need not handle what they write, nor know who does. */
  private static final Set<String> ACROSS =
      Set.of("raw SQL", "Mailroom", "transaction-outbox", "db-scheduler");

  private final Session session;
  private final Server server;
  private final Map<Entry, Double> highest = new HashMap<>();

  private Latency(Session session, Server server) {
    this.session = session;
    this.server = server;
  }

  /** One run. */
  private interface Run {
    Reading measure(Entry entry, PacedWriter writer) throws Exception;
  }

  static void run(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      Latency latency = new Latency(session, server);
      List<Entry> same = session.field().line(server.kind(), Mode.SINGLE, Ability.STREAM);
      List<Entry> across = same.stream().filter(entry -> ACROSS.contains(entry.name())).toList();
      latency.idle(Names.SAME_PROCESS_IDLE, same, latency::samePlace);
      latency.idle(Names.ACROSS_PROCESSES_IDLE, across, latency::otherPlace);
      if (!session.plan().timing().busy().isZero()) {
        latency.half(Names.SAME_PROCESS_HALF, same, latency::samePlace);
        latency.half(Names.ACROSS_PROCESSES_HALF, across, latency::otherPlace);
      }
    }
  }

  /** The same from the time at which a message is due. */
  static void timers(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      Latency latency = new Latency(session, server);
      Duration time = session.plan().timing().latency();
      new Turns(
              session,
              new Key(Names.TIMERS, Names.SAME_PROCESS_IDLE, server.name()),
              Unit.MILLISECONDS)
          .takeWarm(
              session.field().delaying(server.kind()),
              time,
              (entry, length) ->
                  latency.samePlace(
                      entry,
                      new PacedWriter(count(IDLE_RATE, length), IDLE_RATE, 1, SHORTEST, LONGEST)));
    }
  }

  private void idle(String variant, List<Entry> line, Run run) throws InterruptedException {
    turns(variant)
        .takeWarm(
            line,
            session.plan().timing().latency(),
            (entry, time) ->
                run.measure(entry, PacedWriter.of(count(IDLE_RATE, time), IDLE_RATE, 1)));
  }

  private void half(String variant, List<Entry> line, Run run) throws InterruptedException {
    turns(variant)
        .takeWarm(
            line,
            session.plan().timing().busy(),
            (entry, time) -> {
              double rate = highest(entry) / 2;
              return run.measure(entry, PacedWriter.of(count(rate, time), rate, WRITERS))
                  .with("messages/s", rate);
            });
  }

  private Turns turns(String variant) {
    return new Turns(session, new Key(Names.LATENCY, variant, server.name()), Unit.MILLISECONDS);
  }

  private static int count(double rate, Duration time) {
    return (int) Math.max(SLOWEST, rate * time.toMillis() / 1e3);
  }

  private Contender open(Arena arena, Entry entry, Arrivals arrivals) throws Exception {
    return entry.open(arena.place(arrivals), session.setups().best(server, entry));
  }

  private Reading samePlace(Entry entry, PacedWriter writer) throws Exception {
    Arrivals arrivals = new Arrivals(writer.count());
    try (Arena arena = Arena.open(server);
        Contender contender = open(arena, entry, arrivals)) {
      contender.start();
      PacedWriter.Times times = writer.write(contender);
      finish(contender, arrivals);
      return writer.longest().isZero()
          ? arrivals.lateness(number -> times.returned().get(number))
          : arrivals.lateness(
              number -> times.called().get(number) + writer.delay(number).toMillis() * 1_000);
    }
  }

  private static void finish(Contender contender, Arrivals arrivals) throws Exception {
    arrivals.awaitAll();
    contender.stop();
    arrivals.check(contender.left());
  }

  /** The other process opens first, since whoever opens makes the tables clean. */
  private Reading otherPlace(Entry entry, PacedWriter writer) throws Exception {
    Arrivals arrivals = new Arrivals(writer.count());
    try (Arena arena = Arena.open(server);
        ChildJvm child = WritingProcess.start(arena, entry, writer).awaitReady();
        Contender contender = open(arena, entry, arrivals)) {
      contender.start();
      child.stop(); // lets it go on to write, and waits for its end
      long[] returned = WritingProcess.times(child, writer.count());
      finish(contender, arrivals);
      return arrivals.lateness(number -> returned[number]);
    }
  }

  /** The most that it handles while as many single messages are appended. */
  private double highest(Entry entry) throws Exception {
    Double known = highest.get(entry);
    if (known == null) {
      known = Math.max(SLOWEST, saturate(entry, session.plan().timing().run()));
      highest.put(entry, known);
    }
    return known;
  }

  private double saturate(Entry entry, Duration time) throws Exception {
    Tally tally = new Tally(0);
    try (Arena arena = Arena.open(server);
        Contender contender = entry.open(arena.place(tally), session.setups().best(server, entry));
        Crew crew = new Crew(WRITERS)) {
      contender.start();
      AtomicLong next = new AtomicLong();
      crew.repeat(
          () -> {
            if (next.get() - tally.handled() < MOST_WAITING) {
              contender.append(Jobs.in(0).of(next.getAndIncrement(), 1));
            } else {
              Thread.sleep(1);
            }
          });
      tally.awaitFirst();
      Meter meter = Meter.begin(server);
      long before = tally.handled();
      crew.work(time);
      double rate = meter.read(tally.handled() - before).value();
      crew.end();
      contender.stop();
      return rate;
    }
  }
}
