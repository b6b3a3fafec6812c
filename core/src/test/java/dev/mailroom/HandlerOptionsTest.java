package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.options.RetryPolicy;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HandlerOptionsTest {
  private static final RetryPolicy INBOX = RetryPolicy.of(retry -> retry.attempts(7).deferrals(2));
  private static final RetryPolicy OWN = RetryPolicy.of(retry -> retry.attempts(9).deferrals(3));

  @Test
  void what_is_not_set_is_the_inboxs() {
    assertThat(HandlerOptions.defaults().retry(INBOX)).isEqualTo(INBOX);
    assertThat(HandlerOptions.of(options -> options.attempts(4)).retry(INBOX))
        .isEqualTo(RetryPolicy.of(retry -> retry.attempts(4).deferrals(2)));
  }

  @Test
  void changes_apply_to_a_policy_that_is_set_before_or_after_them() {
    RetryPolicy expected = RetryPolicy.of(retry -> retry.attempts(4).deferrals(3));

    assertThat(HandlerOptions.of(options -> options.retry(OWN).attempts(4)).retry(INBOX))
        .isEqualTo(expected);
    assertThat(HandlerOptions.of(options -> options.attempts(4).retry(OWN)).retry(INBOX))
        .isEqualTo(expected);
  }
}
