package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.messages.TypeReference;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TypeReferenceTest {

  private abstract static class Lists<T> extends TypeReference<List<T>> {}

  private static class Texts extends TypeReference<String> {}

  @Test
  void it_names_a_type_with_all_its_parameters() {
    TypeReference<List<String>> texts = new TypeReference<>() {};

    assertThat(texts).hasToString("java.util.List<java.lang.String>");
    assertThat(texts.type()).isEqualTo(new TypeReference<List<String>>() {}.type());
    assertThat(texts.type()).isNotEqualTo(new TypeReference<List<Integer>>() {}.type());
  }

  @Test
  void a_class_without_parameters_is_itself() {
    assertThat(new TypeReference<String>() {}.type()).isEqualTo(String.class);
    assertThat(new Texts().type()).isEqualTo(String.class);
  }

  @Test
  @SuppressWarnings("rawtypes") // what is refused
  void it_cannot_do_without_its_type() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TypeReference() {})
        .withMessageContaining("new TypeReference<Archive<String>>() {}");
  }

  @Test
  void a_subclass_between_would_hide_the_type_and_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Lists<String>() {});
  }
}
