package dev.mailroom.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LimitsTest {

  @Test
  void a_blank_key_is_none_and_another_stays_as_it_is() {
    assertThat(Limits.key("key", null)).isNull();
    assertThat(Limits.key("key", "")).isNull();
    assertThat(Limits.key("key", " \t\u2003")).isNull();
    assertThat(Limits.key("key", " k ")).isEqualTo(" k ");
  }

  @Test
  void a_key_has_at_most_256_characters() {
    assertThat(Limits.key("key", "k".repeat(256))).hasSize(256);
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> Limits.key("group key", "k".repeat(257)))
        .withMessageContainingAll("group key", "257", "256")
        .satisfies(error -> assertThat(error.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void a_key_with_the_character_nul_is_refused() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> Limits.key("group key", "a\0b"))
        .withMessageContaining("group key")
        .withMessageContaining("NUL");
  }

  @Test
  void a_name_must_be_there() {
    assertThat(Limits.requireName("name", "n")).isEqualTo("n");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> Limits.requireName("inbox name", " "))
        .withMessageContainingAll("inbox name", "blank");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> Limits.requireName("inbox name", null));
  }

  @Test
  void headers_are_checked_and_copied() {
    Map<String, String> headers = new HashMap<>(Map.of("a", "1"));
    Map<String, String> kept = Limits.headers(headers);
    headers.put("b", "2");

    assertThat(kept).containsExactly(Map.entry("a", "1"));
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> Limits.headers(Map.of("a", "v".repeat(4_097))))
        .withMessageContainingAll("'a'", "4097", "4096");
  }

  @Test
  void counts_are_from_1_to_their_maximum() {
    assertThat(Limits.requireCount("limit", 1, 5)).isEqualTo(1);
    assertThat(Limits.requireCount("limit", 5, 5)).isEqualTo(5);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.requireCount("limit", 0, 5))
        .withMessageContainingAll("limit", "0", "1 to 5");
    assertThatIllegalArgumentException().isThrownBy(() -> Limits.requireCount("limit", 6, 5));
  }

  @Test
  void what_is_too_long_is_cut_and_ends_in_an_ellipsis() {
    assertThat(Limits.cut("short", 5)).isEqualTo("short");
    assertThat(Limits.cut("longer", 5)).isEqualTo("long…");
  }

  @Test
  void a_cut_never_leaves_half_a_character() {
    assertThat(Limits.cut("abc😀def", 5)).isEqualTo("abc…");
  }
}
