package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what other processes notify, on a connection and a thread of its own. When the connection
 * breaks it connects again; what is missed meanwhile is found by polling.
 */
final class Receiver implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
  private static final int LISTEN_MILLIS = 500;
  private static final int LISTENS_PER_CHECK = 60; // half a minute, if there is no news
  private static final int CHECK_SECONDS = 5;
  private static final long REST_MILLIS = 1_000;
  private static final long PATIENCE_SECONDS = 5;

  private final KnownPool pool;
  private final String name;
  private final String self;
  private final Consumer<String> target;
  private final CountDownLatch listening = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * A receiver that listens from {@link #start} on.
   *
   * @param name what to listen on
   * @param self whose own notifications are passed over
   * @param target is told the channel
   */
  Receiver(KnownPool pool, String name, String self, Consumer<String> target) {
    this.pool = pool;
    this.name = name;
    this.self = self;
    this.target = target;
  }

  /** Begins to listen, and returns once it does or if that takes too long. */
  void start() {
    Thread thread = new Thread(this::run, "mailroom-receiver");
    thread.setDaemon(true);
    thread.start();
    try {
      if (!listening.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Wake-ups of other processes are not heard yet; polling finds their work.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    boolean failing = false;
    while (closed.getCount() > 0) {
      try (Connection connection = pool.connectBeside()) {
        connection.setAutoCommit(true);
        Dialect.execute(connection, "LISTEN \"" + name + "\"");
        listening.countDown();
        failing = false;
        listen(connection);
        Dialect.execute(connection, "UNLISTEN \"" + name + "\"");
      } catch (SQLException | RuntimeException e) {
        if (!failing && closed.getCount() > 0) {
          LOG.warn("Wake-ups are not heard for now; polling finds the work.", e);
        }
        failing = true;
        rest();
      }
    }
  }

  private void listen(Connection connection) throws SQLException {
    Notifications notifications = Notifications.of(connection);
    for (int listens = 1; closed.getCount() > 0; listens++) {
      notifications.await(LISTEN_MILLIS).forEach(this::hear);
      // A connection that somebody on the way has dropped is as silent as one without news.
      if (listens % LISTENS_PER_CHECK == 0 && !connection.isValid(CHECK_SECONDS)) {
        throw new SQLException("The connection does not answer any more");
      }
    }
  }

  private void hear(String text) {
    int space = text.indexOf(' ');
    if (space > 0 && !text.substring(0, space).equals(self)) {
      target.accept(text.substring(space + 1));
    }
  }

  private void rest() {
    try {
      boolean over = closed.await(REST_MILLIS, TimeUnit.MILLISECONDS);
      assert over || closed.getCount() > 0;
    } catch (InterruptedException e) {
      closed.countDown();
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
