package dev.mailroom.jdbc.process;

import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.process.Journal.Entry;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Two workers, of which one after another is killed and replaced. */
final class Massacre implements AutoCloseable {
  private static final int WORKERS = 2;
  private static final int LONGEST_LIFE = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Product product;
  private final String url;
  private final DataSource dataSource;
  private final Journal journal;
  private final Duration lease;
  private final Map<String, ChildJvm> alive = new LinkedHashMap<>();
  private int born;

  Massacre(Product product, String url, DataSource dataSource, Duration lease) {
    this.product = product;
    this.url = url;
    this.dataSource = dataSource;
    this.journal = new Journal(dataSource);
    this.lease = lease;
    for (int i = 0; i < WORKERS; i++) {
      bear();
    }
  }

  /**
   * What became of the messages of a killed worker.
   *
   * @param held how many it had
   * @param first how long after the kill another worker had handled one of them; null if the dead
   *     one had settled all of them after all
   * @param all how long after the kill all of them were handled
   */
  record Recovery(int held, @Nullable Duration first, Duration all) {}

  private void bear() {
    String name = "worker-" + ++born;
    alive.put(name, WorkerProcess.start(url, name, lease));
  }

  /** Kills a worker that has messages in hand, and starts another. */
  Recovery kill(Random random) throws SQLException, InterruptedException {
    for (ChildJvm worker : alive.values()) {
      worker.awaitReady();
    }
    String victim = List.copyOf(alive.keySet()).get(random.nextInt(WORKERS));
    live(victim, random.nextInt(LONGEST_LIFE));
    alive.remove(victim).kill();
    Stopwatch sinceKill = new Stopwatch();
    long place = journal.end();
    Set<String> held = held(victim);
    bear();
    Recovery recovery = recovery(held, place, sinceKill);
    return recovery.first() == null ? kill(random) : recovery;
  }

  /** Lets a worker live until it has handled so many messages from now on. */
  private void live(String worker, int messages) {
    long from = journal.end();
    Stopwatch.await(worker + " works", () -> journal.count(worker, from) >= messages);
  }

  /** What is leased to a worker that will never settle it. */
  private Set<String> held(String worker) throws SQLException {
    return ids(
        "FROM mailroom_message m JOIN mailroom_lease l ON l.token = m.token WHERE l.worker = '"
            + worker
            + "'");
  }

  /** What is in the store. */
  private Set<String> stored() throws SQLException {
    Set<String> stored = ids("FROM mailroom_message m");
    stored.addAll(ids("FROM mailroom_delayed m"));
    return stored;
  }

  private Set<String> ids(String from) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT " + product.hexadecimal("m.id") + " " + from)) {
      Set<String> ids = new HashSet<>();
      while (rows.next()) {
        ids.add(rows.getString(1).replace("-", "").toLowerCase(Locale.ROOT));
      }
      return ids;
    }
  }

  private Recovery recovery(Set<String> held, long place, Stopwatch sinceKill) throws SQLException {
    Set<String> missing = new HashSet<>(held);
    Duration first = null;
    long seen = place;
    while (!missing.isEmpty()) {
      if (sinceKill.elapsed().compareTo(PATIENCE) > 0) {
        throw new AssertionError("Still missing of " + held.size() + ": " + missing);
      }
      Set<String> stored = stored();
      for (Entry entry : journal.after(seen)) {
        seen = entry.place();
        if (missing.remove(entry.id()) && first == null) {
          first = sinceKill.elapsed();
        }
      }
      // The last statement of the dead may outlive it, and settle what it had handled.
      missing.retainAll(stored);
      Stopwatch.rest();
    }
    return new Recovery(held.size(), first, sinceKill.elapsed());
  }

  /** Lets the living finish; fails if one of them does not end well. */
  void end() throws InterruptedException, IOException {
    for (ChildJvm worker : alive.values()) {
      worker.awaitReady().stop();
    }
  }

  @Override
  public void close() {
    alive.values().forEach(ChildJvm::close);
  }
}
