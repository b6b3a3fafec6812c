package dev.mailroom.processes;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.JdbcStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A process that requests timeouts beside those that are pending, fires them, and ends. */
final class FiringProcess {
  static final String HERE = "here";

  private FiringProcess() {}

  static ChildJvm start(String url, int megabytes, int timeouts) {
    return ChildJvm.start(FiringProcess.class, megabytes, url, Integer.toString(timeouts));
  }

  public static void main(String[] arguments) throws InterruptedException {
    ChildJvm.endWithParent();
    int count = Integer.parseInt(arguments[1]);
    AtomicLong fired = new AtomicLong();
    CountDownLatch done = new CountDownLatch(count);
    Timeouts timeouts =
        Timeouts.builder()
            .destination(
                HERE,
                timeout -> {
                  fired.incrementAndGet();
                  done.countDown();
                  return Result.success();
                })
            .acceptWeakDurability()
            .build();
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(arguments[0]);
      pool.setMaximumPoolSize(6);
      try (JdbcStore store = JdbcStore.builder(pool).build();
          Mailroom mailroom = Mailroom.builder().store(store).add(timeouts).build()) {
        mailroom.start();
        for (int i = 0; i < count; i++) {
          String key = "key " + i;
          Duration delay = Duration.ofMillis(i % 100);
          timeouts.request(HERE, options -> options.after(delay).key(key));
        }
        done.await();
      }
    }
    ChildJvm.say("fired " + fired.get());
  }
}
