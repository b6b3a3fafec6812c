package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is JSON for every database, and what is not. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JsonTextTest {
  private static String problem(String text) {
    return JsonText.problem(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " { \"a\" : [ 1 , -0.5e+3 , 0 , 1E9 ] , \"b\" : { } } \n",
        "true",
        "false",
        "null",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 \uD83D\uDE00 ä\"",
        "-12.25",
        "1e300"
      })
  void this_is_json(String text) {
    assertThat(problem(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "[1 2]",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "1e400",
        "NaN",
        "tru",
        "truex",
        "\"a",
        "\"a\nb\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u0000\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "1 2",
        "\uFEFF{}"
      })
  void this_is_none(String text) {
    assertThat(problem(text)).isNotBlank();
  }

  @Test
  void it_may_be_thirty_levels_deep() {
    assertThat(problem("[".repeat(30) + "]".repeat(30))).isNull();
    assertThat(problem("[".repeat(31) + "]".repeat(31))).contains("30 levels");
    assertThat(problem("[".repeat(1_000_000))).contains("30 levels");
  }

  @Test
  void bytes_that_are_no_text_are_named() {
    assertThat(JsonText.problem(new byte[] {'"', (byte) 0xC3, '"'})).contains("UTF-8");
  }

  @Test
  void a_mistake_is_named_with_its_place() {
    assertThat(problem("{\"a\":1 \"b\":2}")).contains("at character 7").contains("'}'");
  }
}
