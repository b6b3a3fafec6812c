package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LastErrorTest {

  private static int length(LastError error) {
    return error.type().length() + error.message().length() + error.detail().length();
  }

  @Test
  void it_keeps_the_type_the_message_and_the_first_frames() {
    LastError error = LastError.of(new IOException("no line"));

    assertThat(error.type()).isEqualTo("java.io.IOException");
    assertThat(error.message()).isEqualTo("no line");
    assertThat(error.detail()).startsWith("  at ").contains("LastErrorTest");
    assertThat(error.detail().lines()).hasSizeLessThanOrEqualTo(12);
    assertThat(error).hasToString("java.io.IOException: no line");
  }

  @Test
  void it_keeps_the_causes_but_not_all_of_a_long_chain() {
    Exception error = new IOException("cause 0");
    for (int i = 1; i < 20; i++) {
      error = new IllegalStateException("cause " + i, error);
    }

    LastError kept = LastError.of(error);

    assertThat(kept.message()).isEqualTo("cause 19");
    assertThat(kept.detail()).contains("caused by", "cause 18").doesNotContain("cause 0\n");
  }

  @Test
  void causes_that_go_in_a_circle_come_to_an_end() {
    Exception first = new IllegalStateException("first");
    Exception second = new IllegalStateException("second", first);
    first.initCause(second);

    assertThat(LastError.of(first).detail()).contains("second");
  }

  @Test
  void an_error_without_a_message_has_an_empty_one() {
    LastError error = LastError.of(new IOException());

    assertThat(error.message()).isEmpty();
    assertThat(error).hasToString("java.io.IOException");
  }

  @Test
  void all_of_it_stays_within_the_limit() {
    String endless = "x".repeat(1_000_000);

    assertThat(length(new LastError(endless, endless, endless))).isEqualTo(Limits.ERROR_LENGTH);
    assertThat(length(LastError.of(new IOException(endless, new IOException(endless)))))
        .isLessThanOrEqualTo(Limits.ERROR_LENGTH);
  }

  @Test
  void the_character_nul_is_replaced_because_not_every_store_can_keep_it() {
    assertThat(LastError.of("a\0", "b\0c").message()).isEqualTo("b\uFFFDc");
  }

  @Test
  void what_was_cut_ends_in_an_ellipsis() {
    assertThat(LastError.of("failed", "x".repeat(5_000)).message()).hasSize(1_024).endsWith("x…");
  }

  @Test
  void an_error_that_cannot_describe_itself_is_named_all_the_same() {
    LastError error = LastError.of(new ExceptionWithoutMessage());

    assertThat(error.type()).endsWith("ExceptionWithoutMessage");
    assertThat(error.message()).isNotEmpty();
  }

  private static final class ExceptionWithoutMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no message");
    }
  }
}
