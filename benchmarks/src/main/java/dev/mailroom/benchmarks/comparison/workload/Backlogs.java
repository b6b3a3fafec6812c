package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.time.Duration;
import java.util.List;

/** The workloads that show what many messages in the table cost. */
final class Backlogs {
  private Backlogs() {}

  /** The rate while so many wait, and the heap that is needed then. */
  static void growth(Session session) throws Exception {
    if (!session.isWanted(DatabaseKind.POSTGRESQL)) {
      return;
    }
    Server server = session.server(DatabaseKind.POSTGRESQL);
    boolean warm = false;
    for (int pending : session.plan().sizes().pending()) {
      Key key = new Key(Names.GROWTH, Names.pending(pending), server.name());
      Turns turns = new Turns(session, key, Unit.MESSAGES_PER_SECOND);
      take(
          turns,
          session.field().ours(Mode.SINGLE),
          new Drain(session, server, 0, pending, 0),
          warm);
      turns.derive(
          new Key(Names.HEAP, Names.pending(pending), server.name()), Unit.MEBIBYTES, Drain.HEAP);
      warm = true;
    }
  }

  /** The rate while none and while many are not due yet. */
  static void delayed(Session session) throws Exception {
    if (!session.isWanted(DatabaseKind.POSTGRESQL)) {
      return;
    }
    Server server = session.server(DatabaseKind.POSTGRESQL);
    boolean warm = false;
    for (int delayed : List.of(0, session.plan().sizes().delayed())) {
      Key key = new Key(Names.DELAYED, Names.pending(delayed), server.name());
      Turns turns = new Turns(session, key, Unit.MESSAGES_PER_SECOND);
      List<Entry> line = session.field().mailroom(Mode.SINGLE);
      take(turns, line, new Drain(session, server, 0, 0, delayed), warm);
      warm = true;
    }
  }

  /** A backlog takes long to write: one round to get warm is enough for all sizes. */
  private static void take(Turns turns, List<Entry> line, Drain drain, boolean warm)
      throws InterruptedException {
    Duration time = drain.session().plan().timing().run();
    if (warm) {
      turns.takeWarm(line, time, drain::measure);
    } else {
      turns.take(line, time, drain::measure);
    }
  }
}
