package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.MailroomException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RawCodecTest {
  private final RawCodec codec = new RawCodec();

  @Test
  void texts_are_utf_8() {
    String text = "Grüße, 世界 😀";
    byte[] bytes = codec.encode(text, String.class);

    assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    assertThat(codec.decode(bytes, String.class)).isEqualTo(text);
  }

  @Test
  void bytes_stay_as_they_are() {
    byte[] bytes = {0, -1, 127, -128};

    assertThat(codec.encode(bytes, byte[].class)).isSameAs(bytes);
    assertThat(codec.decode(bytes, byte[].class)).isSameAs(bytes);
  }

  @Test
  void anything_else_is_refused_with_a_hint() {
    assertThatExceptionOfType(MailroomException.class)
        .isThrownBy(() -> codec.encode(42, Integer.class))
        .withMessageContainingAll("java.lang.Integer", "JacksonCodec");
    assertThatExceptionOfType(MailroomException.class)
        .isThrownBy(() -> codec.decode(new byte[1], Integer.class));
  }
}
