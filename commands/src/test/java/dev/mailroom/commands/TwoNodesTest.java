package dev.mailroom.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.commands.Bank.Pay;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Two processes' worth of threads on one store and the host's clock. */
class TwoNodesTest {
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final int RUNS = 20;

  private final List<Instant> runs = new CopyOnWriteArrayList<>();
  private final CountDownLatch enough = new CountDownLatch(RUNS);

  private final class Node implements AutoCloseable {
    final CommandSchedule commands;
    final Mailroom mailroom;

    Node(Store store) {
      Mediator mediator =
          Mediator.builder()
              .command(
                  Pay.class,
                  (command, context) -> {
                    runs.add(Objects.requireNonNull(context.get(RecurringRun.KEY)).time());
                    enough.countDown();
                  })
              .build();
      commands = CommandSchedule.builder().mediator(mediator).build();
      mailroom = Mailroom.builder().store(store).codec(new JacksonCodec()).add(commands).build();
    }

    @Override
    public void close() {
      mailroom.close();
    }
  }

  @Test
  void on_the_in_memory_store() throws Exception {
    MemoryStore store = MemoryStore.create();
    live(store, store);
  }

  @Test
  void on_postgresql() throws Exception {
    try (Database database =
            PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
        HikariDataSource one = pool(database);
        HikariDataSource other = pool(database);
        JdbcStore first = JdbcStore.builder(one).migrateAtStart(true).build();
        JdbcStore second = JdbcStore.builder(other).migrateAtStart(true).build()) {
      live(first, second);
    }
  }

  private static HikariDataSource pool(Database database) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setMaximumPoolSize(6);
    return pool;
  }

  private void live(Store first, Store second) throws Exception {
    try (Node one = new Node(first);
        Node other = new Node(second)) {
      RecurringCommand recurring =
          RecurringCommand.of(
              "pay",
              new Pay("a"),
              Recurrence.every(INTERVAL),
              options -> options.missed(MissedRuns.CATCH_UP));
      together(
          () -> one.commands.recurring().register(recurring),
          () -> other.commands.recurring().register(recurring));
      one.mailroom.start();
      other.mailroom.start();
      enough.await();
      one.mailroom.stop();
      other.mailroom.stop();

      assertThat(runs).as("each time once").doesNotHaveDuplicates();
      List<Instant> times = runs.stream().sorted().toList();
      for (int i = 1; i < times.size(); i++) {
        assertThat(times.get(i)).as("none is left out").isEqualTo(times.get(i - 1).plus(INTERVAL));
      }
      assertThat(waiting(one)).as("one chain").isEqualTo(1);
      assertThat(other.commands.recurring().list())
          .extracting(RecurringStatus::nextRun)
          .containsExactly(times.get(times.size() - 1).plus(INTERVAL));
    }
  }

  private static long waiting(Node node) {
    return node.commands.inspect().search(MessageFilter.all(), 100).messages().stream()
        .filter(found -> found.state() != MessageState.DEAD)
        .count();
  }

  /** Does both things at the same moment. */
  private static void together(Callable<?> one, Callable<?> other) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> first = threads.submit(() -> await(start, one));
      Future<?> second = threads.submit(() -> await(start, other));
      first.get();
      second.get();
    } finally {
      threads.shutdownNow();
    }
  }

  private static Object await(CyclicBarrier start, Callable<?> then) throws Exception {
    start.await();
    return then.call();
  }
}
