package dev.mailroom.jdbc.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.ChannelHealth;
import dev.mailroom.Delivery;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.Result;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.process.Journal.Entry;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Writers and handlers in this process, while something happens to the server. */
final class Traffic implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int GROUPS = 5;
  private static final int MOST_OPEN = 200;
  private static final int PROGRESS = 50;

  private final HikariDataSource pool = new HikariDataSource();
  private final JdbcStore store;
  private final Mailroom mailroom;
  private final List<Thread> writers = new ArrayList<>();
  private final Set<Thread> loops;
  private final Set<Letter> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<Letter> handled = ConcurrentHashMap.newKeySet();
  private final List<Entry> entries = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> surprises = new ConcurrentLinkedQueue<>();
  private volatile boolean ending;

  /**
   * Starts it.
   *
   * @param initialSql runs first in every connection; none if empty
   */
  Traffic(String url, String initialSql) {
    pool.setJdbcUrl(url);
    pool.setConnectionTimeout(5_000);
    pool.setMinimumIdle(0);
    pool.setConnectionInitSql(initialSql.isEmpty() ? null : initialSql);
    this.store = JdbcStore.builder(pool).migrateAtStart(true).build();
    this.mailroom = mailroom(store);
    mailroom.start();
    this.loops = threads();
    for (int i = 0; i < WRITERS; i++) {
      String name = "writer-" + i;
      writers.add(new Thread(() -> write(name), name));
    }
    writers.forEach(Thread::start);
  }

  private Mailroom mailroom(JdbcStore own) {
    MailroomBuilder builder = Mailroom.builder().store(own).contract(String.class, "letter", 1);
    for (String name : Post.INBOXES) {
      InboxOptions options =
          InboxOptions.builder()
              .ordering(name.equals(Post.ORDERED) ? Ordering.REQUIRED : Ordering.NONE)
              .lease(Duration.ofSeconds(5))
              .poll(Duration.ofMillis(50), Duration.ofMillis(200))
              .build();
      builder.inbox(
          name,
          inbox ->
              inbox.options(options).handler(String.class, delivery -> handle(name, delivery)));
    }
    return builder.build();
  }

  private Result handle(String inbox, Delivery<String> delivery) {
    Letter letter = Letter.parse(inbox, delivery.payload());
    synchronized (entries) {
      entries.add(new Entry(entries.size(), "self", delivery.id().toString(), letter));
    }
    handled.add(letter);
    return Result.success();
  }

  private void write(String writer) {
    try {
      for (int number = 0; !ending; number++) {
        for (String inbox : Post.INBOXES) {
          write(new Letter(inbox, writer + "-" + number % GROUPS, number / GROUPS + 1));
        }
        while (!ending && acknowledged.size() - handled.size() > MOST_OPEN) {
          Stopwatch.rest();
        }
      }
    } catch (RuntimeException | Error failure) {
      surprises.add(failure);
    }
  }

  /** Until the write is acknowledged it is repeated under its id, as the documentation says. */
  private void write(Letter letter) {
    WriteOptions.Builder options = WriteOptions.builder().messageId(UUID.randomUUID());
    if (letter.inbox().equals(Post.ORDERED)) {
      options.groupKey(letter.group());
    }
    WriteOptions own = options.build();
    while (true) {
      try {
        mailroom.inbox(letter.inbox()).write(letter.payload(), own);
        acknowledged.add(letter);
        return;
      } catch (TransientStoreException again) {
        Stopwatch.rest();
      }
    }
  }

  /** Waits until more is written and handled than when this was called. */
  void awaitProgress() {
    int enough = handled.size() + PROGRESS;
    Stopwatch.await(
        () -> "only " + handled.size() + " of " + acknowledged.size() + " are handled",
        () -> handled.size() > enough || !surprises.isEmpty());
    assertThat(surprises).isEmpty();
  }

  /** Ends the writers, and requires that what they wrote is handled by the loops of the start. */
  void requireAllHandled() throws InterruptedException {
    ending = true;
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(surprises).isEmpty();
    Stopwatch.await(
        () -> missing() + " were never handled", () -> handled.size() == acknowledged.size());
    assertThat(handled).isEqualTo(acknowledged);
    synchronized (entries) {
      new Handlings(entries).requireOrder();
    }
    assertThat(loops).isNotEmpty().allMatch(Thread::isAlive);
    Stopwatch.await(
        () -> mailroom.health().toString(),
        () -> mailroom.health().stream().allMatch(Traffic::isWell));
    System.out.println("  " + acknowledged.size() + " messages, handled " + entries.size());
  }

  private Set<Letter> missing() {
    Set<Letter> missing = new HashSet<>(acknowledged);
    missing.removeAll(handled);
    return missing;
  }

  private static boolean isWell(ChannelHealth health) {
    return health.running() && health.consecutiveFailures() == 0;
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("mailroom-.*(fetcher|settler|keeper|sweeper)"))
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    ending = true;
    mailroom.close();
    pool.close();
  }
}
