package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Unit;
import java.util.List;

/** The workloads that append only, and those that drain only. */
final class Throughput {
  private static final int BULK = 500;
  private static final int MARIADB_THREADS = 8;
  private static final int COALESCED_THREADS = 64;

  private Throughput() {}

  /** One message per transaction. */
  static void append(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      for (int threads : session.plan().sizes().threads()) {
        append(session, DatabaseKind.POSTGRESQL, Names.APPEND, Mode.SINGLE, threads);
      }
    }
    if (session.isWanted(DatabaseKind.MARIADB)) {
      append(session, DatabaseKind.MARIADB, Names.APPEND, Mode.SINGLE, MARIADB_THREADS);
    }
  }

  /** The same with many threads, whose messages Mailroom gathers. */
  static void coalescedAppend(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      append(
          session,
          DatabaseKind.POSTGRESQL,
          Names.COALESCED_APPEND,
          Mode.COALESCING,
          COALESCED_THREADS);
    }
  }

  private static void append(
      Session session, DatabaseKind kind, String workload, Mode mode, int threads)
      throws Exception {
    Server server = session.server(kind);
    Key key = new Key(workload, Names.threads(threads), server.name());
    List<Entry> line = session.field().line(kind, mode, Ability.DRAIN);
    Turns turns = new Turns(session, key, Unit.MESSAGES_PER_SECOND);
    Turns.Run run = new Appends(server, threads, 1)::measure;
    if (mode == Mode.COALESCING) { // gathering is compiled for seconds, since so many threads run
      turns.take(line, session.plan().timing().run(), run);
    } else {
      turns.takeWarm(line, session.plan().timing().run(), run);
    }
  }

  /** Many messages per transaction, by one thread. */
  static void bulkAppend(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      Key key = new Key(Names.BULK_APPEND, Names.perTransaction(BULK), server.name());
      List<Entry> line = session.field().line(server.kind(), Mode.SINGLE, Ability.DRAIN);
      new Turns(session, key, Unit.MESSAGES_PER_SECOND)
          .takeWarm(line, session.plan().timing().run(), new Appends(server, 1, BULK)::measure);
    }
  }

  /** Unordered, in the ways in which a handler can be called. */
  static void drain(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      drain(session, server, Names.SINGLE, Mode.SINGLE, Ability.DRAIN);
      drain(session, server, Names.BATCHED, Mode.BATCHED, Ability.BATCHED);
      drain(
          session, server, Names.TRANSACTIONAL, Mode.TRANSACTIONAL, Ability.TRANSACTIONAL_HANDLER);
    }
    if (session.isWanted(DatabaseKind.MARIADB)) {
      Server server = session.server(DatabaseKind.MARIADB);
      drain(session, server, Names.SINGLE, Mode.SINGLE, Ability.DRAIN);
    }
  }

  private static void drain(
      Session session, Server server, String variant, Mode mode, Ability needed) throws Exception {
    Key key = new Key(Names.DRAIN, variant, server.name());
    List<Entry> line = session.field().line(server.kind(), mode, Ability.DRAIN, needed);
    new Turns(session, key, Unit.MESSAGES_PER_SECOND)
        .take(line, session.plan().timing().run(), Drain.of(session, server)::measure);
  }

  /** In order within groups; the floor, which has no order, beside it. */
  static void ordered(Session session) throws Exception {
    if (session.isWanted(DatabaseKind.POSTGRESQL)) {
      Server server = session.server(DatabaseKind.POSTGRESQL);
      List<Entry> line =
          session.field().line(server.kind(), Mode.ORDERED, Ability.DRAIN, Ability.ORDER);
      for (int groups : session.plan().sizes().groups()) {
        Key key = new Key(Names.ORDERED, Names.groups(groups), server.name());
        new Turns(session, key, Unit.MESSAGES_PER_SECOND)
            .take(
                line,
                session.plan().timing().run(),
                (entry, time) -> ordered(session, server, groups, entry).measure(entry, time));
      }
    }
  }

  private static Drain ordered(Session session, Server server, int groups, Entry entry) {
    boolean keepsOrder = entry.abilities().contains(Ability.ORDER);
    return Drain.in(session, server, keepsOrder ? groups : 0);
  }
}
