package dev.mailroom.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.List;

/** Two inboxes, one ordered and one not, as the writing process and the workers know them. */
final class Post {
  static final String ORDERED = "ordered";
  static final String LOOSE = "loose";
  static final List<String> INBOXES = List.of(ORDERED, LOOSE);

  /** A message may be in the hands of every process that is killed, and must not die of it. */
  private static final int CRASHES = 1_000;

  /** Short, so that what is measured is the lease and not this. */
  private static final Duration CRASH_BACKOFF = Duration.ofMillis(100);

  private static final int CONNECTIONS = 10;

  private Post() {}

  static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(CONNECTIONS);
    pool.setMinimumIdle(1);
    return pool;
  }

  /** For a process that only writes. */
  static Mailroom writing(Store store) {
    MailroomBuilder mailroom = Mailroom.builder().store(store).contract(String.class, "letter", 1);
    INBOXES.forEach(name -> mailroom.inbox(name, inbox -> inbox.options(options(name).build())));
    return mailroom.build();
  }

  /** For a worker that notes in the journal what it handles. */
  static Mailroom working(Store store, String worker, Duration lease, Journal journal) {
    MailroomBuilder mailroom = Mailroom.builder().store(store).contract(String.class, "letter", 1);
    for (String name : INBOXES) {
      InboxOptions options =
          options(name).worker(worker).lease(lease).readBatch(20).concurrency(3).build();
      mailroom.inbox(
          name,
          inbox ->
              inbox
                  .options(options)
                  .batchHandler(
                      String.class,
                      batch -> {
                        journal.add(worker, name, batch);
                        return batch.allSucceeded();
                      }));
    }
    return mailroom.build();
  }

  private static InboxOptionsBuilder options(String name) {
    return InboxOptions.builder()
        .ordering(name.equals(ORDERED) ? Ordering.REQUIRED : Ordering.NONE)
        .poll(Duration.ofMillis(50), Duration.ofMillis(200))
        .crashes(CRASHES, Backoff.fixed(CRASH_BACKOFF));
  }

  /** How many messages are not handled yet. */
  static long open(Inspectable store) {
    long open = 0;
    for (String name : INBOXES) {
      ChannelCounts counts = store.counts(channel(name));
      open += counts.ready() + counts.scheduled() + counts.leased();
    }
    return open;
  }

  /** How many messages have died. */
  static long dead(Inspectable store) {
    return INBOXES.stream().mapToLong(name -> store.counts(channel(name)).dead()).sum();
  }

  private static Channel channel(String name) {
    InboxOptions options = options(name).build();
    return new Channel(name, options.ordering(), options.policy());
  }
}
