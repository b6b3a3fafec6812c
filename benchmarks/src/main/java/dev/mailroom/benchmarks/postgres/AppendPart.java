package dev.mailroom.benchmarks.postgres;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.benchmarks.Contender;
import dev.mailroom.benchmarks.Rounds;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What an append costs beside a bare insert, alone and with many writers at once. */
final class AppendPart {
  private static final int BLOCK = 50;

  /** The JVM compiles what is written once per message only after some ten thousands of them. */
  private static final int WARM_UP = 25_000;

  /** With fewer, what many threads do in turns is half compiled when it is measured. */
  private static final int TOGETHER = 240_000;

  private static final int WRITERS = 64;
  private static final int[] POOLS = {4, 8, 16, 32, 64};
  private static final int[] TURNS = {1, 2};
  private static final double GOAL_ALONE = 1.15;
  private static final double GOAL_GATHERED = 5;

  private final Settings settings;
  private final Report report;

  AppendPart(Settings settings, Report report) {
    this.settings = settings;
    this.report = report;
  }

  void run() throws Exception {
    try (BenchDatabase database = BenchDatabase.open()) {
      JdbcStore.builder(database.pool(1)).migrateAtStart(true).build().close();
      BareInsert bare = BareInsert.create(database);
      alone(database, bare);
      together(database, bare);
    }
  }

  /** One writer: small blocks in turns, so that noise hits both. */
  private void alone(BenchDatabase database, BareInsert bare) throws Exception {
    int blocks = settings.number("messages", 40_000) / BLOCK;
    HikariDataSource pool = database.pool(4);
    double[] ours = new double[blocks];
    double[] theirs = new double[blocks];
    try (JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom = mailroom(store, false, 1);
        Connection connection = database.pool(1).getConnection();
        PreparedStatement insert = bare.prepare(connection)) {
      Inbox inbox = mailroom.inbox(MailroomDrain.INBOX);
      database.settleDown();
      for (int block = -WARM_UP / BLOCK; block < blocks; block++) {
        long began = System.nanoTime();
        for (int i = 0; i < BLOCK; i++) {
          bare.insert(insert, Order.of(i));
        }
        long between = System.nanoTime();
        for (int i = 0; i < BLOCK; i++) {
          inbox.write(Order.of(i));
        }
        if (block >= 0) {
          theirs[block] = (between - began) / 1e3 / BLOCK;
          ours[block] = (System.nanoTime() - between) / 1e3 / BLOCK;
        }
      }
    }
    report.say(
        "One append per transaction, one writer, %,d of each in turns of %d:",
        blocks * BLOCK, BLOCK);
    report.say(
        "- ratio of the times: %.2f of the medians, %.2f of the means (goal: at most %.2f)",
        median(ours) / median(theirs), mean(ours) / mean(theirs), GOAL_ALONE);
    report.say("- bare insert: median %.0f µs, mean %.0f µs", median(theirs), mean(theirs));
    report.say("- Inbox.write: median %.0f µs, mean %.0f µs%n", median(ours), mean(ours));
  }

  /** Many writers: each with its own insert and commit, or gathered. */
  private void together(BenchDatabase database, BareInsert bare) throws Exception {
    int messages = settings.number("messages", TOGETHER);
    int rounds = settings.number("rounds", 3);
    int warmUps = settings.number("warmUps", 2);
    List<Contender> contenders = new ArrayList<>();
    Map<Committing, Integer> sizes = new EnumMap<>(Committing.class);
    for (Committing committing : Committing.values()) {
      sizes.put(committing, bestPool(database, bare, committing));
    }
    sizes.forEach(
        (committing, size) ->
            contenders.add(new BareWriters(database, bare, database.pool(size), committing)));
    for (int turns : TURNS) {
      contenders.add(new GatheredWriters(database, database.pool(10), turns));
    }
    report.say(
        "%d writers through Inbox.write with coalescing, beside the best of these:", WRITERS);
    List<Metered> metered =
        contenders.stream().map(contender -> new Metered(contender, database)).toList();
    Rounds measured = new Rounds(rounds, warmUps, messages, metered).measure();
    report.say("%n%s", measured.table());
    for (int i = 2; i < contenders.size(); i++) {
      report.say(
          "- %s: %.2f times those whose insert commits by itself, %.2f times those who insert and"
              + " then commit (goal: at least %.0f)",
          contenders.get(i).name(), measured.ratio(i, 0), measured.ratio(i, 1), GOAL_GATHERED);
    }
    report.say("%n%s", Metered.table(metered, rounds));
  }

  /** The size of the best of several pools, found with fewer messages. */
  private int bestPool(BenchDatabase database, BareInsert bare, Committing committing)
      throws Exception {
    List<BareWriters> pools = new ArrayList<>();
    for (int size : POOLS) {
      pools.add(new BareWriters(database, bare, database.pool(size), committing));
    }
    report.say("%d writers, each with its own insert, %s:", WRITERS, committing.words);
    int messages = settings.number("messages", TOGETHER) / 4;
    Rounds sweep = new Rounds(1, 1, messages, pools).measure();
    report.say("%n%s", sweep.table());
    pools.forEach(each -> each.pool().close());
    return POOLS[sweep.best()];
  }

  private static Mailroom mailroom(JdbcStore store, boolean coalescing, int turns) {
    return Mailroom.builder()
        .store(store)
        .codec(new JacksonCodec())
        .contract(Order.class, "bench.order", 1)
        .inbox(
            MailroomDrain.INBOX,
            inbox -> inbox.options(o -> o.coalescing(coalescing).writeConcurrency(turns)))
        .build();
  }

  /** How a writer commits what it has inserted. */
  private enum Committing {
    /** The connection commits by itself: one round trip, as little as there can be. */
    WITH_THE_INSERT("which commits by itself"),

    /** As an application does that writes its own rows in the same transaction. */
    AFTER_THE_INSERT("and then its commit");

    private final String words;

    Committing(String words) {
      this.words = words;
    }
  }

  private record BareWriters(
      BenchDatabase database, BareInsert bare, HikariDataSource pool, Committing committing)
      implements Contender {
    @Override
    public String name() {
      return String.format(
          "bare insert, %s, over %d connections", committing.words, pool.getMaximumPoolSize());
    }

    @Override
    public void prepare(int messages) throws Exception {
      database.empty();
      database.settleDown();
    }

    @Override
    public void run(int messages) throws Exception {
      Writers.run(
          WRITERS,
          messages,
          number -> {
            try (Connection connection = pool.getConnection();
                PreparedStatement statement = bare.prepare(connection)) {
              connection.setAutoCommit(committing == Committing.WITH_THE_INSERT);
              bare.insert(statement, Order.of(number));
              if (committing == Committing.AFTER_THE_INSERT) {
                connection.commit();
              }
            }
          });
    }

    @Override
    public void finish(int messages) throws Exception {
      database.requireRows(BareInsert.table(), messages);
    }
  }

  /** To begin is not measured, as little as it is of those who insert by themselves. */
  private static final class GatheredWriters implements Contender {
    private final BenchDatabase database;
    private final DataSource pool;
    private final int turns;
    private @Nullable JdbcStore store;
    private @Nullable Mailroom mailroom;

    GatheredWriters(BenchDatabase database, DataSource pool, int turns) {
      this.database = database;
      this.pool = pool;
      this.turns = turns;
    }

    @Override
    public String name() {
      return "coalescing, " + turns + " at once";
    }

    @Override
    public void prepare(int messages) throws Exception {
      store = JdbcStore.builder(pool).build();
      mailroom = mailroom(store, true, turns);
      database.empty();
      database.settleDown();
    }

    @Override
    public void run(int messages) throws Exception {
      Inbox inbox = requireNonNull(mailroom).inbox(MailroomDrain.INBOX);
      Writers.run(WRITERS, messages, number -> inbox.write(Order.of(number)));
    }

    @Override
    public void finish(int messages) throws Exception {
      requireNonNull(mailroom).close();
      requireNonNull(store).close();
      database.requireRows("mailroom_message", messages);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }
}
