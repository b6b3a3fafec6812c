package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.StoreException;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TextMapTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "\"quoted\"",
        "back\\slash",
        "{}:,[]",
        "line\nbreak\ttab\0nul",
        "☃ 😀",
        "half \uD83D",
        "\uDE00 half",
        "\\u0041"
      })
  void any_text_comes_back(String text) {
    Map<String, String> map = Map.of("name", text, text, "value");

    assertThat(TextMap.decode(TextMap.encode(map))).isEqualTo(map);
  }

  @Test
  void it_is_json() {
    assertThat(TextMap.encode(Map.of("b", "1\n", "a", "\"")))
        .isEqualTo("{\"a\":\"\\\"\",\"b\":\"1\\u000a\"}");
  }

  @Test
  void nothing_is_null() {
    assertThat(TextMap.encode(Map.of())).isNull();
    assertThat(TextMap.decode(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "{", "{\"a\"}", "{\"a\":\"b", "{\"a\":\"b\\"})
  void anything_else_is_an_error(String text) {
    assertThatThrownBy(() -> TextMap.decode(text)).isInstanceOf(StoreException.class);
  }
}
