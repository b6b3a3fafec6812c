package dev.mailroom.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.InboxBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.databases.Database;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Telemetry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A database with a table of the application, a pool, and a mailroom with one inbox on it. */
final class Office implements AutoCloseable {
  static final String INBOX = "work";
  private static final int LOOKS = 6_000;

  final HikariDataSource pool = new HikariDataSource();
  final JdbcStore store;
  final Counted telemetry = new Counted();
  private final Database database;
  private Mailroom mailroom;

  Office(Database database, int connections) throws SQLException {
    this.database = database;
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(connections);
    this.store = JdbcStore.builder(pool).migrateAtStart(true).build();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (name VARCHAR(100))");
    }
  }

  Mailroom open(Consumer<InboxBuilder> inbox) {
    return open(inbox, builder -> {});
  }

  Mailroom open(Consumer<InboxBuilder> inbox, Consumer<MailroomBuilder> settings) {
    MailroomBuilder builder =
        Mailroom.builder()
            .store(store)
            .telemetry(telemetry)
            .contract(String.class, "text", 1)
            .inbox(INBOX, inbox);
    settings.accept(builder);
    mailroom = builder.build();
    return mailroom;
  }

  Mailroom mailroom() {
    return mailroom;
  }

  /** What a handler does in the application's own table. */
  static void effect(Connection connection, String name) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (name) VALUES (?)")) {
      insert.setString(1, name);
      insert.executeUpdate();
    }
  }

  /** How often each effect was had. */
  Map<String, Integer> effects() throws SQLException {
    Map<String, Integer> effects = new TreeMap<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT name FROM effect")) {
      while (rows.next()) {
        effects.merge(rows.getString(1), 1, Integer::sum);
      }
    }
    return effects;
  }

  ChannelCounts counts() {
    return store.counts(new Channel(INBOX, Ordering.NONE, ChannelPolicy.defaults()));
  }

  /** Waits until no message is left that is not dead, and stops. */
  void awaitDone() throws InterruptedException {
    awaitNothingLeft();
    mailroom.stop(); // after which everything is counted, too
  }

  private void awaitNothingLeft() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    for (int look = 0; look < LOOKS; look++) {
      ChannelCounts counts = counts();
      if (counts.ready() + counts.scheduled() + counts.leased() == 0) {
        return;
      }
      if (never.await(20, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("nobody counts this latch down");
      }
    }
    throw new AssertionError("still to do: " + counts());
  }

  @Override
  public void close() {
    if (mailroom != null) {
      mailroom.close();
    }
    store.close();
    pool.close();
    database.close();
  }

  /** Adds up the counters. */
  static final class Counted implements Telemetry {
    private final Map<Counter, Long> sums = new EnumMap<>(Counter.class);

    synchronized long sum(Counter counter) {
      return sums.getOrDefault(counter, 0L);
    }

    @Override
    public synchronized void count(Counter counter, Tags tags, long amount) {
      sums.merge(counter, amount, Long::sum);
    }

    @Override
    public void measure(Measure measure, Tags tags, long value) {}

    @Override
    public Scope open(Span span, Tags tags, Trace parent) {
      return Telemetry.NOOP.open(span, tags, parent);
    }
  }
}
