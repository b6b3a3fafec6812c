package dev.mailroom.server.web;

import dev.mailroom.time.TimeSource;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests with wrong keys of the API, by the address that they come from. A peer may send a few a
 * minute; further ones get 429. Only wrong keys are counted and throttled: a valid key is accepted
 * at once, whatever else comes from the same address, which many clients can share. Of all peers a
 * thousand are remembered. Thread-safe.
 */
final class WrongKeys {
  static final int A_MINUTE = 10;
  static final int PEERS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(WrongKeys.class);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final TimeSource time;
  private final Map<String, Peer> peers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Peer> eldest) {
          return size() > PEERS;
        }
      };

  WrongKeys(TimeSource time) {
    this.time = time;
  }

  /** What a request with a wrong key is refused with. */
  synchronized ApiException refusal(SocketAddress remote) {
    long now = time.nanos();
    Peer peer = peers.computeIfAbsent(name(remote), name -> new Peer(name, now));
    peer.warning.add();
    if (now - peer.since >= MINUTE) {
      peer.since = now;
      peer.count = 0;
    }
    peer.count++;
    return peer.count > A_MINUTE
        ? ApiException.tooManyWrongKeys()
        : new ApiException(401, "unauthorized", "The key is none of the API's keys.");
  }

  /** Logs what is still to be logged, and forgets peers that have sent nothing for a while. */
  synchronized void sweep() {
    long now = time.nanos();
    peers.values().removeIf(peer -> peer.isQuiet(now));
  }

  synchronized int remembered() {
    return peers.size();
  }

  private static String name(SocketAddress remote) {
    return remote instanceof InetSocketAddress address && address.getAddress() != null
        ? address.getAddress().getHostAddress()
        : String.valueOf(remote);
  }

  /** An address, and what has come from it since when. */
  private final class Peer {
    private final RepeatedWarning warning;
    private long since;
    private long count;

    Peer(String name, long now) {
      this.since = now;
      this.warning =
          new RepeatedWarning(
              LOG, time, wrong -> "%d requests with wrong API keys from %s".formatted(wrong, name));
    }

    boolean isQuiet(long now) {
      warning.flush();
      return now - since >= 2 * MINUTE;
    }
  }
}
