package dev.mailroom.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.JdbcStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A process that handles so many messages with the defaults, says so, and ends. */
final class DrainingProcess {
  static final String INBOX = "backlog";

  private DrainingProcess() {}

  static ChildJvm start(String url, int megabytes, long messages) {
    return ChildJvm.start(DrainingProcess.class, megabytes, url, Long.toString(messages));
  }

  public static void main(String[] arguments) throws InterruptedException {
    ChildJvm.endWithParent();
    long messages = Long.parseLong(arguments[1]);
    AtomicLong handled = new AtomicLong();
    CountDownLatch done = new CountDownLatch(1);
    try (HikariDataSource pool = Post.pool(arguments[0]);
        JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom =
            Mailroom.builder()
                .store(store)
                .contract(byte[].class, "letter", 1)
                .inbox(
                    INBOX,
                    inbox ->
                        inbox.handler(
                            byte[].class,
                            delivery -> {
                              if (handled.incrementAndGet() == messages) {
                                done.countDown();
                              }
                              return Result.success();
                            }))
                .build()) {
      mailroom.start();
      done.await();
    }
    ChildJvm.say("handled " + handled.get());
  }
}
