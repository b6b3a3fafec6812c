package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;

/**
 * What a message takes of the server from its append, one in each transaction, until it is done: as
 * the server's own statistics tell it.
 */
record Cost(Session session, Server server) {
  private static final double SLOW = 200;
  private static final int LEAST = 100;
  private static final int WRITERS = 8;
  private static final double UNPACED = 1e9;

  static void run(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      Turns turns = new Turns(session, key(server, Names.WAL), Unit.BYTES_PER_MESSAGE);
      turns.takeWarm(
          session.field().line(server.kind(), Mode.SINGLE, Ability.DRAIN),
          session.plan().timing().run(),
          new Cost(session, server)::measure);
      turns.derive(key(server, Names.DEAD_ROWS), Unit.PER_MESSAGE, Names.DEAD_ROWS);
      turns.derive(key(server, Names.STATEMENTS), Unit.PER_MESSAGE, Names.STATEMENTS);
      turns.derive(key(server, Names.BUFFERS), Unit.PER_MESSAGE, Names.BUFFERS);
    }
  }

  private static Key key(Server server, String variant) {
    return new Key(Names.COST, variant, server.name());
  }

  Reading measure(Entry entry, Duration time) throws Exception {
    int messages = messages(entry, time);
    Tally tally = new Tally(0);
    try (Arena arena = Arena.open(server);
        Connection connection = arena.connection()) {
      ServerCounts.enable(connection);
      ServerCounts before;
      try (Contender contender =
          entry.open(arena.place(tally), session.setups().best(server, entry))) {
        arena.settleDown();
        before = ServerCounts.now(connection);
        PacedWriter.of(messages, UNPACED, WRITERS).write(contender);
        contender.start();
        tally.awaitAll(messages);
        contender.stop();
        tally.check(messages, contender.left());
      }
      arena.disconnect();
      return perMessage(before, ServerCounts.whenAlone(connection), messages);
    }
  }

  private int messages(Entry entry, Duration time) {
    double expected = session.pace(server, entry, SLOW) * time.toMillis() / 1e3;
    return (int) Math.max(LEAST, Math.min(session.plan().sizes().cost(), expected));
  }

  private static Reading perMessage(ServerCounts before, ServerCounts after, double messages) {
    return new Reading(
        (after.wal() - before.wal()) / messages,
        Map.of(
            Names.DEAD_ROWS, (after.deadRows() - before.deadRows()) / messages,
            Names.STATEMENTS, (after.statements() - before.statements()) / messages,
            Names.BUFFERS, (after.buffers() - before.buffers()) / messages));
  }
}
