package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.CleanUp;
import dev.mailroom.spi.Purge;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InboxOptionsBuilderTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NEGATIVE = Duration.ofSeconds(-1);

  private static void violates(Consumer<InboxOptionsBuilder> change, String violation) {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> InboxOptions.of(change))
        .satisfies(
            error -> assertThat(error.violations()).singleElement().asString().contains(violation));
  }

  @Test
  void every_violation_is_named_with_its_value_and_rule() {
    violates(o -> o.readBatch(0), "readBatch is 0: must be from 1 to 10000");
    violates(o -> o.readBatch(10_001), "readBatch is 10001");
    violates(o -> o.writeBatch(10_001), "writeBatch is 10001");
    violates(o -> o.writeConcurrency(0), "writeConcurrency is 0");
    violates(o -> o.concurrency(-1), "concurrency is -1");
    violates(o -> o.poll(Duration.ZERO, SECOND), "poll is PT0S: must be a positive duration");
    violates(o -> o.poll(SECOND, Duration.ofMillis(1)), "maximum poll is PT0.001S");
    violates(o -> o.delayBetweenReads(NEGATIVE), "delayBetweenReads is PT-1S");
    violates(o -> o.lease(Duration.ZERO), "lease is PT0S");
    violates(o -> o.extensionThreshold(0.95), "extensionThreshold is 0.95");
    violates(o -> o.extensionThreshold(Double.NaN), "extensionThreshold is NaN");
    violates(o -> o.handlerTimeout(Duration.ZERO), "handlerTimeout is PT0S");
    violates(o -> o.shutdownGrace(NEGATIVE), "shutdownGrace is PT-1S");
    violates(o -> o.park(Duration.ZERO), "park is PT0S");
    violates(o -> o.crashes(0, Backoff.fixed(SECOND)), "crash limit is 0");
    violates(
        o -> o.deduplicationWindow(Duration.ofNanos(-1)), "deduplicationWindow is PT-0.000000001S");
    violates(o -> o.reclaim(Duration.ZERO), "reclaim is PT0S");
    violates(o -> o.deadLetterLifetime(NEGATIVE), "deadLetterLifetime is PT-1S");
    violates(o -> o.history(Duration.ZERO), "history is PT0S");
    violates(o -> o.worker("w".repeat(257)), "worker is");
    violates(o -> o.tenant("t".repeat(257)), "tenant is");
  }

  @Test
  void all_violations_are_reported_at_once() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () ->
                InboxOptions.builder()
                    .readBatch(0)
                    .concurrency(0)
                    .lease(NEGATIVE)
                    .park(NEGATIVE)
                    .build())
        .withMessageStartingWith("InboxOptions: ")
        .satisfies(error -> assertThat(error.violations()).hasSize(4));
  }

  @Test
  void values_at_their_limits_are_fine() {
    InboxOptions options =
        InboxOptions.builder()
            .readBatch(10_000)
            .writeBatch(1)
            .concurrency(1)
            .shutdownGrace(Duration.ZERO)
            .delayBetweenReads(Duration.ZERO)
            .extensionThreshold(0.1)
            .poll(SECOND, SECOND)
            .deduplicationWindow(null)
            .build();

    assertThat(options.reading().batch()).isEqualTo(10_000);
    assertThat(options.policy().deduplicationWindow()).isNull();
  }

  @Test
  void blank_names_mean_none() {
    InboxOptions options = InboxOptions.builder().worker(" ").tenant("").build();

    assertThat(options.leasing().worker()).isNull();
    assertThat(options.reading().tenant()).isNull();
  }

  @Test
  void built_options_do_not_change_with_their_builder() {
    InboxOptionsBuilder builder = InboxOptions.builder();
    InboxOptions before = builder.build();
    builder.cleanUp(Purge.HISTORY, new CleanUp(SECOND, 1, SECOND)).concurrency(3);

    assertThat(before).isEqualTo(InboxOptions.defaults());
    assertThat(builder.build().cleanUp().get(Purge.HISTORY).batch()).isEqualTo(1);
  }

  @Test
  void clean_up_and_handler_options_check_themselves() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> new CleanUp(Duration.ZERO, 0, NEGATIVE))
        .satisfies(error -> assertThat(error.violations()).hasSize(3));
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> HandlerOptions.builder().timeout(Duration.ZERO).build())
        .withMessageContaining("timeout is PT0S");
  }
}
