package dev.mailroom.jdbc.process;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.JdbcStore;
import java.time.Duration;

/** A process that handles messages. */
final class WorkerProcess {
  private static final int MEGABYTES = 64;

  private WorkerProcess() {}

  static ChildJvm start(String url, String worker, Duration lease) {
    return ChildJvm.start(WorkerProcess.class, MEGABYTES, url, worker, lease.toString());
  }

  public static void main(String[] arguments) {
    try (HikariDataSource pool = Post.pool(arguments[0]);
        JdbcStore store = JdbcStore.builder(pool).build();
        Mailroom mailroom =
            Post.working(store, arguments[1], Duration.parse(arguments[2]), new Journal(pool))) {
      mailroom.start();
      ChildJvm.serve();
    }
  }
}
