package dev.mailroom.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;

/** A process that writes messages for another to handle, and says when each write returned. */
final class LatencyWriter {
  private LatencyWriter() {}

  /** Arguments: the URL of the database, and how many messages to write. */
  public static void main(String[] arguments) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(arguments[0]);
    config.setMaximumPoolSize(4);
    int messages = Integer.parseInt(arguments[1]);
    long[] returned = new long[messages];
    try (HikariDataSource pool = new HikariDataSource(config);
        JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom =
            Mailroom.builder()
                .store(store)
                .codec(new JacksonCodec())
                .contract(Order.class, "bench.order", 1)
                .inbox(MailroomDrain.INBOX, inbox -> {})
                .build()) {
      for (int i = 0; i < messages; i++) {
        Gaps.pause();
        mailroom.inbox(MailroomDrain.INBOX).write(Order.of(i));
        returned[i] = WallClock.micros();
      }
    }
    for (long micros : returned) {
      System.out.println(micros);
    }
  }
}
