package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.Contracts;
import dev.mailroom.RawCodec;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContractAssertionsTest {

  /** Forgets the last character. */
  private static final class LossyCodec implements PayloadCodec {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return payload.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
    }
  }

  private final Contracts contracts =
      new Contracts().register(String.class, "note", 1).register(byte[].class, "blob", 3);
  private final ContractAssertions assertions = ContractAssertions.of(new RawCodec(), contracts);

  @Test
  void a_payload_that_comes_back_equal_under_its_contract_passes() {
    assertThat(assertions.assertRoundTrip("hello", "note", 1))
        .isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
    assertions.assertRoundTrip(new byte[] {1, 2}, "blob", 3);
    assertions.assertDecodes("hello", "hello");
  }

  @Test
  void another_name_or_version_fails() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertions.assertRoundTrip("hello", "note", 2))
        .withMessageContainingAll("note v1", "note v2", "java.lang.String");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertions.assertRoundTrip("hello", "other", 1));
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> assertions.assertRoundTrip(1, "number", 1));
  }

  @Test
  void a_codec_that_loses_something_fails() {
    ContractAssertions lossy = ContractAssertions.of(new LossyCodec(), contracts);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> lossy.assertRoundTrip("hello", "note", 1))
        .withMessageContainingAll("decodes to hell,", "hello");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> lossy.assertRoundTrip("", "note", 1))
        .withMessageContaining("cannot be decoded");
  }

  @Test
  void a_payload_that_the_codec_cannot_write_fails() {
    contracts.register(Long.class, "number", 1);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> assertions.assertRoundTrip(1L, "number", 1))
        .withMessageContaining("number v1 cannot be encoded");
  }
}
