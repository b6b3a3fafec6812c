package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WriteOptionsTest {

  @Test
  void a_builder_that_starts_with_options_changes_a_copy() {
    WriteOptions base = WriteOptions.builder().groupKey("g").build();
    WriteOptions changed =
        base.toBuilder()
            .messageId(new UUID(1, 1))
            .tenant("t")
            .deduplicationKey("d")
            .collapseKey("c")
            .correlationId("co")
            .causationId("ca")
            .receivedAt(Instant.EPOCH)
            .delay(Duration.ofSeconds(1))
            .lifetime(Duration.ofSeconds(2))
            .header("a", "1")
            .headers(Map.of("b", "2"))
            .strict()
            .build();

    assertThat(changed.groupKey()).isEqualTo("g");
    assertThat(changed.messageId()).isEqualTo(new UUID(1, 1));
    assertThat(changed.tenant()).isEqualTo("t");
    assertThat(changed.deduplicationKey()).isEqualTo("d");
    assertThat(changed.collapseKey()).isEqualTo("c");
    assertThat(changed.correlationId()).isEqualTo("co");
    assertThat(changed.causationId()).isEqualTo("ca");
    assertThat(changed.receivedAt()).isEqualTo(Instant.EPOCH);
    assertThat(changed.due()).isEqualTo(Due.after(Duration.ofSeconds(1)));
    assertThat(changed.lifetime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(changed.headers()).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(changed.isStrict()).isTrue();
    assertThat(base)
        .usingRecursiveComparison()
        .isEqualTo(WriteOptions.builder().groupKey("g").build());
    assertThat(WriteOptions.defaults().groupKey()).isNull();
  }

  @Test
  void headers_add_up_and_the_last_value_of_a_name_counts() {
    WriteOptions options =
        WriteOptions.builder().header("a", "1").header("b", "2").header("a", "3").build();

    assertThat(options.headers()).containsEntry("a", "3").containsEntry("b", "2").hasSize(2);
    assertThat(WriteOptions.defaults().headers()).isEmpty();
  }

  @Test
  void the_last_of_delay_and_visible_after_counts() {
    Instant later = Instant.EPOCH.plusSeconds(60);

    assertThat(
            WriteOptions.builder().delay(Duration.ofSeconds(1)).visibleAfter(later).build().due())
        .isEqualTo(Due.at(later));
    assertThat(WriteOptions.builder().visibleAfter(later).delay(Duration.ZERO).build().due())
        .isEqualTo(Due.NOW);
  }

  @Test
  void options_for_reuse_are_set_in_a_lambda() {
    WriteOptions options = WriteOptions.of(own -> own.tenant("t").groupKey("g"));

    assertThat(options.tenant()).isEqualTo("t");
    assertThat(options.groupKey()).isEqualTo("g");
    assertThat(options.isStrict()).isFalse();
  }

  @Test
  void a_due_time_in_the_past_means_now() {
    Instant now = Instant.EPOCH.plusSeconds(60);

    assertThat(Due.at(Instant.EPOCH).resolve(now)).isEqualTo(now);
    assertThat(Due.after(Duration.ZERO).resolve(now)).isEqualTo(now);
    assertThat(Due.after(Duration.ofSeconds(5)).resolve(now)).isEqualTo(now.plusSeconds(5));
  }

  @Test
  void negative_delays_and_lifetimes_are_refused() {
    Duration negative = Duration.ofSeconds(-5);

    refuses(() -> Due.after(negative), "delay is PT-5S: must not be negative");
    refuses(() -> WriteOptions.of(o -> o.delay(negative)), "delay is PT-5S: must not be negative");
    refuses(
        () -> WriteOptions.of(o -> o.lifetime(negative)), "lifetime is PT-5S: must be a positive");
    refuses(() -> WriteOptions.of(o -> o.lifetime(Duration.ZERO)), "lifetime is PT0S");
    refuses(() -> Result.retryLater(negative), "after is PT-5S: must not be negative");
    refuses(() -> new HandlerOutcome.Failed("no", negative), "notBefore is PT-5S");
    refuses(() -> new HandlerOutcome.Deferred(negative), "after is PT-5S");
    refuses(
        () -> new HandlerOutcome.RetryAfter(LastError.of("a", "b"), negative), "after is PT-5S");
    refuses(
        () -> new Outcome.Retried(negative, LastError.of("a", "b"), Outcome.Counts.ATTEMPT),
        "delay is PT-5S");
  }

  private static void refuses(ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(reason);
  }
}
