package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Progress;
import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.results.DatabaseFacts;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One comparison while it goes on: its plan, who takes part, and what was found so far. */
final class Session implements AutoCloseable {
  private final Plan plan;
  private final Field field;
  private final Selection selection;
  private final Progress progress;
  private final Map<DatabaseKind, Server> servers = new EnumMap<>(DatabaseKind.class);
  private final Map<String, Double> paces = new ConcurrentHashMap<>();
  private final List<DatabaseFacts> databases = new ArrayList<>();
  private final List<Measurement> measurements = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Setups setups = new Setups(this);
  private final long began = System.nanoTime();

  Session(Plan plan, Field field, Selection selection, Progress progress) {
    this.plan = plan;
    this.field = field;
    this.selection = selection;
    this.progress = progress;
  }

  Plan plan() {
    return plan;
  }

  Field field() {
    return field;
  }

  Setups setups() {
    return setups;
  }

  /** How many rounds count from now on: all that were planned, as long as there is time. */
  int rounds() {
    boolean late = System.nanoTime() - began > plan.limit().toNanos();
    if (late && plan.timing().rounds() > 1) {
      note("After " + plan.limit().toMinutes() + " minutes there was one round only.");
    }
    return late ? 1 : plan.timing().rounds();
  }

  /** Whether that database is to be measured on. */
  boolean isWanted(DatabaseKind kind) {
    return selection.databases().isEmpty() || selection.databases().contains(Server.name(kind));
  }

  /** The server of that kind, started when it is asked for first. */
  Server server(DatabaseKind kind) throws SQLException {
    Server known = servers.get(kind);
    if (known == null) {
      say("starting " + kind.title());
      known = Server.of(kind);
      servers.put(kind, known);
      DatabaseFacts facts = known.facts();
      databases.add(facts);
      say(kind.title() + " " + facts.version() + ", " + facts.settings());
    }
    return known;
  }

  void say(String line) {
    progress.says(line);
  }

  /** Something that a reader has to know; the same thing only once. */
  void note(String text) {
    if (notes.add(text)) {
      say("note: " + text);
    }
  }

  void add(Measurement measurement) {
    measurements.add(measurement);
  }

  /** Remembers how many messages per second a contender has handled, if that is its best. */
  void keepPace(Server server, Entry entry, double rate) {
    paces.merge(key(server, entry), rate, Math::max);
  }

  /** How many messages per second a contender is known to handle there; so many if it is new. */
  double pace(Server server, Entry entry, double otherwise) {
    return paces.getOrDefault(key(server, entry), otherwise);
  }

  private static String key(Server server, Entry entry) {
    return server.name() + "/" + entry.name();
  }

  /** All that was found. */
  Findings findings() {
    return new Findings(
        List.copyOf(databases), field.facts(), List.copyOf(measurements), List.copyOf(notes));
  }

  @Override
  public void close() {
    servers.values().forEach(Server::close);
  }
}
