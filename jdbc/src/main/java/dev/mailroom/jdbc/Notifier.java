package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other processes that there is work: the first time at once, then at most once in 50 ms for
 * all channels together, since every notification takes a lock that all commits share. Never in the
 * writer's way: it has a thread of its own, which starts with the first signal.
 */
final class Notifier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
  static final long PAUSE_MILLIS = 50;

  /** In the place of a sender: all processes listen to it, this one included. */
  private static final String ANY_SENDER = "-";

  private static final int LAST_WAIT_MILLIS = 2_000;

  /** Notifications do not survive a crash of the server, so there is nothing to wait for. */
  private static final String SEND =
      """
      SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, t)
      FROM unnest(?) AS t""";

  private final DataSource dataSource;
  private final String name;
  private final String sender;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<String> pending = new LinkedHashSet<>();
  private final Set<String> later = new LinkedHashSet<>();
  private final Set<String> soon = new LinkedHashSet<>();
  private @Nullable Thread thread;
  private boolean waits;
  private boolean closed;
  private boolean failing;

  /**
   * A notifier that is silent so far.
   *
   * @param name what to notify on
   * @param sender who says so, so that it does not hear itself
   */
  Notifier(DataSource dataSource, String name, String sender) {
    this.dataSource = dataSource;
    this.name = name;
    this.sender = sender;
  }

  /** There is work in a channel, and it is committed. */
  void signal(String channel) {
    add(pending, sender + " " + channel);
  }

  /** There will be work in a channel, also for this process: sent after one or two pauses. */
  void signalLater(String channel) {
    add(later, textForAll(channel));
  }

  /** What wakes the handlers of a channel in all processes, also in the one that sends it. */
  static String textForAll(String channel) {
    return ANY_SENDER + " " + channel;
  }

  private void add(Set<String> texts, String text) {
    lock.lock();
    try {
      if (!closed && texts.add(text)) {
        if (thread == null) {
          thread = new Thread(this::run, "mailroom-notifier");
          thread.setDaemon(true);
          thread.start();
        }
        if (waits) {
          changed.signalAll();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      for (Set<String> texts = next(); !texts.isEmpty(); texts = next()) {
        send(texts);
        pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for signals; nothing if there will be no more. */
  private Set<String> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (pending.isEmpty() && !closed) {
        if (soon.isEmpty() && later.isEmpty()) {
          waits = true;
          changed.await();
          waits = false;
        } else {
          rest();
        }
      }
      if (closed) {
        promote();
        promote();
      }
      Set<String> texts = Set.copyOf(pending);
      pending.clear();
      return texts;
    } finally {
      lock.unlock();
    }
  }

  private void pause() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      rest();
    } finally {
      lock.unlock();
    }
  }

  /** Rests, unless it is closed meanwhile; then what was to be sent later is so much nearer. */
  private void rest() throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    while (left > 0 && !closed) {
      left = changed.awaitNanos(left);
    }
    promote();
  }

  private void promote() {
    pending.addAll(soon);
    soon.clear();
    soon.addAll(later);
    later.clear();
  }

  private void send(Set<String> texts) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(SEND)) {
      statement.setString(1, name);
      statement.setArray(2, connection.createArrayOf("text", texts.toArray()));
      statement.executeQuery().close();
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
      failing = false;
    } catch (SQLException | RuntimeException e) {
      if (!failing) {
        LOG.warn("Wake-ups cannot be sent for now; other processes find work by polling.", e);
      }
      failing = true;
    }
  }

  /** What is not sent yet is sent now: a process that writes and ends would wake nobody. */
  @Override
  public void close() {
    Thread sending;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      sending = thread;
    } finally {
      lock.unlock();
    }
    if (sending != null) {
      try {
        sending.join(LAST_WAIT_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
