package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections, and what each of them waits for. Two rules keep slow clients from taking
 * all of them:
 *
 * <ul>
 *   <li>A request's head (its first line and headers) must be complete within a time limit. Jetty's
 *       idle timeout does not do that, since every byte resets it.
 *   <li>When nearly as many connections are open as may be, a new one closes the one that has
 *       waited longest for its client: for a head, a body or the next request. So clients that
 *       reconnect without sending requests displace each other, and not the clients that send
 *       requests.
 * </ul>
 *
 * <p>A connection whose request is being worked on is never closed here. Thread-safe.
 */
final class OpenConnections implements Connection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

  private final Map<Connection, Client> clients = new ConcurrentHashMap<>();
  private final int roomy;
  private final long headTime;
  private final TimeSource time;
  private final RepeatedWarning slow;
  private final RepeatedWarning crowded;
  private final Counter closedSlow;
  private final Counter closedCrowded;

  /**
   * No connections so far.
   *
   * @param most how many the server accepts at once
   * @param headTime how long the head of a request may take
   */
  OpenConnections(int most, Duration headTime, TimeSource time, MeterRegistry registry) {
    this.roomy = most - Math.max(1, most / 10);
    this.headTime = headTime.toNanos();
    this.time = time;
    this.slow =
        new RepeatedWarning(
            LOG,
            time,
            count ->
                "Closed %d connections whose request headers did not come within %s (%s)"
                    .formatted(count, headTime, "limits.header-time"));
    this.crowded =
        new RepeatedWarning(
            LOG,
            time,
            count ->
                "Closed %d connections that had waited longest for their clients, to make room: "
                        .formatted(count)
                    + "more than %d of %d are open (limits.connections)".formatted(roomy, most));
    this.closedSlow = closed(registry, "slow-headers");
    this.closedCrowded = closed(registry, "limit");
    Gauge.builder("mailroom.http.connections", clients, Map::size)
        .description("Open connections")
        .register(registry);
  }

  private static Counter closed(MeterRegistry registry, String reason) {
    return Counter.builder("mailroom.http.connections.closed")
        .description("Connections that the server has closed on slow clients, by reason")
        .tag("reason", reason)
        .register(registry);
  }

  @Override
  public void onOpened(Connection connection) {
    clients.put(connection, new Client(connection, time.nanos()));
    if (clients.size() > roomy) {
      closeLongestWaiting(connection);
    }
  }

  @Override
  public void onClosed(Connection connection) {
    clients.remove(connection);
  }

  /** The head of a request has come; its body may be still to come. */
  void headReceived(Connection connection) {
    enter(connection, Phase.BODY);
  }

  /** All of a request has come; from now on its client waits for the server. */
  void requestReceived(Connection connection) {
    enter(connection, Phase.WORK);
  }

  /** A request is answered, and another one may come. */
  void answered(Connection connection) {
    enter(connection, Phase.IDLE);
  }

  private void enter(Connection connection, Phase phase) {
    Client client = clients.get(connection);
    if (client != null) {
      client.enter(phase, time.nanos());
    }
  }

  /** Closes what has been slow for too long; to be called about once a second. */
  void sweep() {
    long now = time.nanos();
    for (Client client : clients.values()) {
      if (client.closeIfSlow(now, headTime)) {
        closedSlow.increment();
        slow.add();
      }
    }
    slow.flush();
    crowded.flush();
  }

  private void closeLongestWaiting(Connection newest) {
    long now = time.nanos();
    Client longest = null;
    long most = -1;
    for (Client client : clients.values()) {
      long waited = client.waited(now);
      if (waited > most && client.connection != newest) {
        longest = client;
        most = waited;
      }
    }
    if (longest != null && longest.closeIfWaiting()) {
      closedCrowded.increment();
      crowded.add();
    }
  }

  /** What a connection is in the middle of. */
  private enum Phase {
    /** Between two requests. */
    IDLE,
    /** The head of a request is coming; of a new connection it is expected at once. */
    HEAD,
    /** The body of a request is coming. */
    BODY,
    /** The server works on a request. */
    WORK,
    /** It is being closed. */
    CLOSED
  }

  /** The other end of a connection. */
  private static final class Client {
    private final Connection connection;
    private Phase phase = Phase.HEAD;
    private long since;
    private long bytes;

    Client(Connection connection, long now) {
      this.connection = connection;
      this.since = now;
    }

    synchronized void enter(Phase next, long now) {
      if (phase != Phase.CLOSED) {
        phase = next;
        since = now;
        bytes = connection.getBytesIn();
      }
    }

    /** For how long it has waited for the client; negative if it does not. */
    synchronized long waited(long now) {
      return phase == Phase.WORK || phase == Phase.CLOSED ? -1 : now - since;
    }

    boolean closeIfSlow(long now, long headTime) {
      synchronized (this) {
        if (phase == Phase.IDLE && connection.getBytesIn() != bytes) {
          phase = Phase.HEAD;
          since = now;
        }
        if (phase != Phase.HEAD || now - since < headTime) {
          return false;
        }
        phase = Phase.CLOSED;
      }
      connection.close();
      return true;
    }

    boolean closeIfWaiting() {
      synchronized (this) {
        if (phase == Phase.WORK || phase == Phase.CLOSED) {
          return false;
        }
        phase = Phase.CLOSED;
      }
      connection.close();
      return true;
    }
  }
}
