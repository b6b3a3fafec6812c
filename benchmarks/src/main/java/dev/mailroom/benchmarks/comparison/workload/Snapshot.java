package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Appending and draining together, as fast as it goes, while somebody holds an old snapshot open:
 * nothing that was removed since then can be cleaned away, and lies in everybody's way.
 */
record Snapshot(Session session, Server server, Duration held) {
  private static final int GROUPS = 1_000;
  private static final int WAITING = 20_000;
  private static final Duration SLICE = Duration.ofSeconds(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  void run() throws InterruptedException {
    for (Entry entry : session.field().ours(Mode.SINGLE)) {
      run(entry, Names.UNORDERED);
    }
    for (Entry entry : session.field().mailroom(Mode.ORDERED)) {
      run(entry, Names.IN_ORDER);
    }
  }

  private void run(Entry entry, String order) throws InterruptedException {
    String what = "snapshot, " + order + ", " + entry.name();
    try {
      session.say(what + ", to warm up");
      measure(entry, shorter(WARM_UP), false);
      session.say(what + ", without a snapshot");
      add(entry, order, Names.WITHOUT_SNAPSHOT, measure(entry, shorter(MINUTE), false));
      session.say(what + ", with a snapshot held open for " + held);
      List<Double> slices = measure(entry, held, true);
      int inMinute = (int) Math.max(1, shorter(MINUTE).dividedBy(slice()));
      add(entry, order, Names.FIRST_MINUTE, slices.subList(0, inMinute));
      add(entry, order, Names.LAST_MINUTE, slices.subList(slices.size() - inMinute, slices.size()));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      session.note(what + ": " + Reasons.of(e));
    }
  }

  private void add(Entry entry, String order, String phase, List<Double> slices) {
    Key key = new Key(Names.SNAPSHOT, Names.snapshot(order, phase), server.name());
    session.add(
        Measurement.of(key, entry.name(), Unit.MESSAGES_PER_SECOND, slices)
            .withSetup(entry.sweep().get(0).toString()));
  }

  private Duration shorter(Duration time) {
    return held.compareTo(time) < 0 ? held : time;
  }

  private Duration slice() {
    return shorter(SLICE);
  }

  /** Messages handled per second, in slices. */
  private List<Double> measure(Entry entry, Duration time, boolean snapshot) throws Exception {
    int groups = entry.abilities().contains(Ability.ORDER) ? GROUPS : 0;
    Tally tally = new Tally(groups);
    try (Arena arena = Arena.open(server);
        Contender contender = entry.open(arena.place(tally), entry.sweep().get(0));
        Connection holder = arena.connection()) {
      arena.settleDown();
      if (snapshot) {
        hold(holder);
      }
      contender.start();
      List<Double> rates = new ArrayList<>();
      long appended;
      try (Pump pump = new Pump(contender, tally, Jobs.in(groups), WAITING)) {
        tally.awaitFirst();
        for (long slices = time.dividedBy(slice()); slices > 0; slices--) {
          rates.add(slice(pump, tally));
          session.say(
              String.format(
                  Locale.ROOT,
                  "- %d: %,.0f messages/s",
                  rates.size(),
                  rates.get(rates.size() - 1)));
        }
        appended = pump.end();
      }
      contender.stop();
      tally.check(appended, contender.left());
      return rates;
    }
  }

  private double slice(Pump pump, Tally tally) throws InterruptedException {
    long began = System.nanoTime();
    long before = tally.handled();
    pump.work(slice());
    return (tally.handled() - before) * 1e9 / (System.nanoTime() - began);
  }

  /** A transaction that has read something and now sees all that was there at that time. */
  private static void hold(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_class")) {
      row.next();
    }
  }
}
