package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Defaults;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.options.StorageRetry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetryPolicyTest {

  @Test
  void each_part_can_be_changed_alone() {
    Backoff backoff = Backoff.fixed(Duration.ofSeconds(1));
    RetryPolicy policy =
        RetryPolicy.builder()
            .attempts(2)
            .backoff(backoff)
            .deferrals(3)
            .permanent(IOException.class)
            .permanent(IllegalStateException.class)
            .build();

    assertThat(policy)
        .isEqualTo(
            new RetryPolicy(
                2, backoff, 3, List.of(IOException.class, IllegalStateException.class)));
    assertThat(RetryPolicy.defaults().permanent()).isEmpty();
    assertThat(RetryPolicy.builder().attempts(1).build().attempts()).isEqualTo(1);
  }

  @Test
  void permanent_errors_include_subclasses_but_not_causes() {
    RetryPolicy policy = RetryPolicy.builder().permanent(IOException.class).build();

    assertThat(policy.isPermanent(new IOException())).isTrue();
    assertThat(policy.isPermanent(new FileNotFoundException())).isTrue();
    assertThat(policy.isPermanent(new IllegalStateException(new IOException()))).isFalse();
    assertThat(RetryPolicy.defaults().isPermanent(new IOException())).isFalse();
  }

  @Test
  void all_violations_are_reported_at_once() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> new RetryPolicy(0, Defaults.RETRY_BACKOFF, -1, List.of()))
        .withMessageContainingAll("RetryPolicy", "attempts is 0", "deferrals is -1")
        .satisfies(error -> assertThat(error.violations()).hasSize(2));
  }

  @Test
  void storage_retries_are_not_negative() {
    assertThat(StorageRetry.builder().retries(0).build().retries()).isZero();
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> new StorageRetry(-1, Defaults.STORAGE_BACKOFF))
        .withMessageContaining("retries is -1");
  }
}
