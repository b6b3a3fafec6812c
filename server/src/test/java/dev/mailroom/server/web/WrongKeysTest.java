package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.LogLines;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WrongKeysTest {
  private final SteppedTime time = new SteppedTime();
  private final WrongKeys wrongKeys = new WrongKeys(time);

  private int status(int peer) {
    try {
      byte[] address = {10, 0, (byte) (peer >> 8), (byte) peer};
      InetSocketAddress remote = new InetSocketAddress(InetAddress.getByAddress(address), 1);
      return wrongKeys.refusal(remote).reply().status();
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void peers_are_throttled_each_for_itself_and_for_a_minute() {
    for (int i = 0; i < WrongKeys.A_MINUTE; i++) {
      assertThat(status(1)).isEqualTo(401);
    }
    assertThat(status(1)).isEqualTo(429);
    assertThat(status(2)).isEqualTo(401);

    time.step(Duration.ofMinutes(1));
    assertThat(status(1)).isEqualTo(401);
  }

  @Test
  void each_peer_is_logged_once_a_minute_with_a_count() {
    try (LogLines log = new LogLines()) {
      for (int i = 0; i < 100; i++) {
        status(1);
      }
      assertThat(log.with("from 10.0.0.1")).hasSize(1);

      time.step(Duration.ofMinutes(1));
      wrongKeys.sweep();
      assertThat(log.with("from 10.0.0.1"))
          .containsExactly(
              "1 requests with wrong API keys from 10.0.0.1",
              "99 requests with wrong API keys from 10.0.0.1");
      wrongKeys.sweep();
      assertThat(log.with("from 10.0.0.1")).hasSize(2);
    }
  }

  @Test
  void a_limited_number_of_peers_is_remembered() {
    for (int i = 0; i < WrongKeys.A_MINUTE; i++) {
      status(0);
    }
    for (int peer = 1; peer <= WrongKeys.PEERS; peer++) {
      status(peer);
    }
    assertThat(status(0)).as("forgotten in favour of others").isEqualTo(401);
    assertThat(wrongKeys.remembered()).isEqualTo(WrongKeys.PEERS);

    time.step(Duration.ofMinutes(3));
    wrongKeys.sweep();
    assertThat(wrongKeys.remembered()).isZero();
  }
}
