package dev.mailroom.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.jackson.Payloads.Anything;
import dev.mailroom.jackson.Payloads.Money;
import dev.mailroom.jackson.Payloads.Order;
import dev.mailroom.jackson.Payloads.Page;
import dev.mailroom.jackson.Payloads.Positive;
import dev.mailroom.jackson.Payloads.Stamped;
import dev.mailroom.messages.TypeReference;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the errors say, and that they never say what was in the payload. */
class JacksonCodecErrorsTest {
  private static final String SECRET = "4242424242";

  private final JacksonCodec codec = new JacksonCodec();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"amount\":1,}",
        "{'amount':1}",
        "4242424242abc",
        "s4242424242",
        "{\"amount\":s4242424242}",
        "{\"s4242424242\"",
        "\"s4242424242",
        "\u0000\u0001\u0002",
      })
  void malformedTextIsRefusedWithItsPlace(String text) {
    assertThat(failure(text, Money.class))
        .hasMessageContaining("is not a " + Money.class.getName())
        .hasMessageContaining("line 1, column");
  }

  @Test
  void bytesThatAreNotTextAreRefused() {
    byte[] bytes = {(byte) 0xff, (byte) 0xfe, (byte) 0xfd, (byte) 0xfc, (byte) 0xfb};

    assertThat(failure(bytes, Money.class)).hasMessageContaining(Money.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "{}]", "{} 4242424242", "{}\n\ns4242424242", "{}null"})
  void whatFollowsTheValueIsRefused(String text) {
    assertThat(failure(text, Money.class)).hasMessageContaining(Money.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", " null\n"})
  void theValueNullIsRefused(String text) {
    assertThat(failure(text, Money.class)).hasMessageContaining("the value null");
  }

  @Test
  void deepNestingIsRefused() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);

    assertThat(failure("{\"value\":" + deep + "}", Anything.class))
        .hasMessageContaining("nested too deeply");
    assertThat(failure("{\"unknown\":" + deep + "}", Money.class))
        .hasMessageContaining("nested too deeply");
  }

  @Test
  void aValueOfTheWrongTypeIsRefusedWithItsPath() {
    assertThat(failure("{\"total\":{\"currency\":\"4242424242\"}}", Order.class))
        .hasMessageContaining("does not fit " + Payloads.Currency.class.getName())
        .hasMessageContaining("at total.currency");
    assertThat(failure("{\"lines\":[\"a\",{\"b\":4242424242}]}", Order.class))
        .hasMessageContaining("at lines[1]");
  }

  @Test
  void aValueInAGenericTypeIsRefusedWithItsPath() {
    Type type = new TypeReference<Page<Money>>() {}.type();

    assertThat(failure("{\"items\":[{\"amount\":\"s4242424242\"}]}", type))
        .hasMessageContaining("Page<" + Money.class.getName() + ">")
        .hasMessageContaining("at items[0].amount");
  }

  @Test
  void keysOfAMapAreNotPartOfThePath() {
    assertThat(failure("{\"stock\":{\"s4242424242\":\"many\"}}", Order.class))
        .hasMessageContaining("at stock.?");
  }

  @Test
  void namesOfUnknownPropertiesAreNotPartOfThePath() {
    JacksonCodec strict = new JacksonCodec(new ObjectMapper());

    assertThat(failure(strict, "{\"s4242424242\":1}".getBytes(UTF_8), Money.class))
        .hasMessageContaining("at ?");
  }

  @Test
  void whatATypeItselfRefusesIsNotQuoted() {
    assertThat(failure("{\"value\":-4242}", Positive.class))
        .hasMessageContaining(Positive.class.getName() + " refused the values")
        .hasMessageContaining(IllegalArgumentException.class.getName());
    assertThat(complete(failure("{\"value\":-4242}", Positive.class))).doesNotContain("4242");
  }

  @Test
  void aTypeThatNeedsAModuleIsNamed() {
    MailroomException writing =
        catchThrowableOfType(
            MailroomException.class, () -> codec.encode(new Stamped(Instant.EPOCH), Stamped.class));

    assertThat(writing)
        .hasMessageContaining("java.time.Instant")
        .hasMessageContaining("module")
        .hasMessageContaining("at at");
    assertThat(failure("{\"at\":\"4242424242\"}", Stamped.class))
        .hasMessageContaining("java.time.Instant")
        .hasMessageContaining("module");
  }

  @Test
  void whatCannotBeWrittenIsNotQuoted() {
    Map<String, Object> endless = new java.util.HashMap<>();
    endless.put("s" + SECRET, endless);

    MailroomException error =
        catchThrowableOfType(
            MailroomException.class, () -> codec.encode(new Anything(endless), Anything.class));

    assertThat(error).hasMessageContaining(Anything.class.getName());
    assertThat(complete(error)).doesNotContain(SECRET);
    assertThat(error.getMessage().length()).isLessThan(1000);
  }

  private MailroomException failure(String text, Type type) {
    return failure(text.getBytes(UTF_8), type);
  }

  private MailroomException failure(byte[] bytes, Type type) {
    return failure(codec, bytes, type);
  }

  private static MailroomException failure(JacksonCodec codec, byte[] bytes, Type type) {
    MailroomException error =
        catchThrowableOfType(MailroomException.class, () -> codec.decode(bytes, type));
    assertThat(error).as("what became of %s", new String(bytes, UTF_8)).isNotNull();
    assertThat(complete(error)).doesNotContain(SECRET);
    return error;
  }

  /** Message, trace, causes and all. */
  private static String complete(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
