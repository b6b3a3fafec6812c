package dev.mailroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadInputTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final Instant NOW = Instant.parse("2026-11-01T10:00:00Z");

  @Test
  void all_that_is_wrong_with_an_endpoint_is_said_at_once() {
    assertThatThrownBy(() -> Endpoint.of("ftp://user:word@host.example/#part"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("scheme is ftp", "user info", "fragment", "secrets is []")
        .hasMessageNotContaining("word");
  }

  @Test
  void a_relative_endpoint_is_refused() {
    assertThatThrownBy(() -> Endpoint.of("/hook", SECRET))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("host is null");
  }

  @Test
  void an_underscore_in_the_host_is_refused_by_name() {
    assertThatThrownBy(() -> Endpoint.of("http://order_service:8080/hook?token=hidden", SECRET))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("host is order_service:8080: must have no '_'")
        .hasMessageContaining("http://order_service:8080/hook")
        .hasMessageNotContaining("null")
        .hasMessageNotContaining("hidden");
  }

  @Test
  void a_port_that_is_none_is_refused() {
    for (String port : new String[] {"0", "65536", "99999"}) {
      assertThatThrownBy(() -> Endpoint.of("http://host.example:" + port + "/", SECRET))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("port is " + port + ": must be from 1 to 65535");
    }
    for (String port : new String[] {"-1", "x", "99999999999"}) {
      assertThatThrownBy(() -> Endpoint.of("http://host.example:" + port + "/", SECRET))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("host is host.example:" + port)
          .hasMessageContaining("65535");
    }
  }

  @Test
  void a_secret_that_is_none_is_refused_and_not_repeated() {
    for (String secret : new String[] {"swordfish", "whsec_swordfish!", "whsec_c3dvcmQ="}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SigningSecret.parse(secret))
          .withMessageContaining("A signing secret")
          .withMessageNotContaining("sword")
          .withMessageNotContaining("c3dv")
          .withNoCause();
    }
  }

  @Test
  void all_that_is_wrong_with_a_dispatcher_is_said_at_once() {
    HttpDispatcherBuilder builder =
        HttpDispatcher.builder()
            .timeout(Duration.ZERO)
            .connectTimeout(Duration.ofSeconds(-1))
            .longestRetryAfter(Duration.ZERO);

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("endpoints", "timeout is", "connectTimeout", "longestRetryAfter");
  }

  @Test
  void an_event_for_an_unknown_topic_is_refused_when_it_is_added() {
    try (HttpDispatcher dispatcher =
        HttpDispatcher.builder()
            .endpoint("orders", Endpoint.of("https://host.example/", SECRET))
            .build()) {
      Outbox outbox = Outbox.builder().dispatcher(dispatcher).build();
      Mailroom mailroom =
          Mailroom.builder()
              .store(MemoryStore.builder().build())
              .contract(String.class, "test.text", 1)
              .add(outbox)
              .build();

      assertThatThrownBy(() -> outbox.add("hello", options -> options.topic("invoices")))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("No endpoint is known for the topic 'invoices'");
      assertThat(mailroom.inbox("outbox").inspect().counts().ready()).isZero();
    }
  }

  @Test
  void an_event_whose_endpoint_is_no_longer_known_is_parked() {
    try (HttpDispatcher dispatcher =
        HttpDispatcher.builder().endpoints(topic -> Optional.empty()).build()) {
      assertThat(dispatcher.dispatch(Texts.message()).outcome())
          .isInstanceOf(HandlerOutcome.Parked.class);
    }
  }

  @Test
  void retry_after_is_read_as_seconds_or_as_a_date() {
    Duration hour = Duration.ofHours(1);

    assertThat(RetryAfter.parse(" 5 ", NOW, hour)).isEqualTo(Duration.ofSeconds(5));
    assertThat(RetryAfter.parse("Sun, 01 Nov 2026 10:00:30 GMT", NOW, hour))
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(RetryAfter.parse("86400", NOW, hour)).isEqualTo(hour);
  }

  @Test
  void a_retry_after_that_names_no_time_to_come_means_nothing() {
    for (String value :
        new String[] {
          "0",
          "Sun, 01 Nov 2026 09:00:00 GMT",
          "Fri, 31 Dec 9999 23:59:59 GMT",
          "2592001",
          "99999999999999999999",
          "-5",
          "soon",
          ""
        }) {
      assertThat(RetryAfter.parse(value, NOW, Duration.ofHours(1)))
          .as(value)
          .isEqualTo(Duration.ZERO);
    }
    assertThat(RetryAfter.parse(null, NOW, Duration.ofHours(1))).isEqualTo(Duration.ZERO);
  }
}
