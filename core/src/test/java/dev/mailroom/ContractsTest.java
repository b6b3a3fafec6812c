package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.TypeReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContractsTest {

  @MessageContract(name = "annotated", version = 2)
  private record Annotated() {}

  @MessageContract(name = "generic")
  private record Generic<T>(T content) {}

  private record First() {}

  private record Second() {}

  private record Third() {}

  private final Contracts contracts = new Contracts();

  @Test
  void a_type_stands_for_a_name_and_a_version_and_back() {
    contracts.register(First.class, "letter", 1);

    assertThat(contracts.of(First.class)).isEqualTo(new Contract("letter", 1));
    assertThat(contracts.typeOf(new Contract("letter", 1))).isEqualTo(First.class);
    assertThat(contracts.typeOf(new First())).isEqualTo(First.class);
    assertThat(contracts.typeOf(new Contract("letter", 2))).isNull();
    assertThat(new Contract("letter", 1)).hasToString("letter v1");
  }

  @Test
  void an_annotated_type_registers_itself() {
    assertThat(contracts.of(Annotated.class)).isEqualTo(new Contract("annotated", 2));
    assertThat(contracts.typeOf(new Contract("annotated", 2))).isEqualTo(Annotated.class);
    contracts.register(Annotated.class);
  }

  @Test
  void a_type_without_a_contract_is_unknown() {
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> contracts.of(First.class))
        .withMessageContainingAll("First", "@MessageContract", "register");
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> contracts.register(First.class))
        .withMessageContainingAll("First", "@MessageContract");
  }

  @Test
  void the_same_registration_twice_is_nothing() {
    contracts.register(First.class, "letter", 1).register(First.class, "letter", 1);

    assertThat(contracts.of(First.class)).isEqualTo(new Contract("letter", 1));
  }

  @Test
  void a_different_registration_is_an_error_and_changes_nothing() {
    contracts.register(First.class, "letter", 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> contracts.register(First.class, "letter", 2))
        .withMessageContainingAll("letter v1", "letter v2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> contracts.register(Second.class, "letter", 1))
        .withMessageContainingAll("First", "Second");
    assertThat(contracts.typeOf(new Contract("letter", 2))).isNull();
    assertThat(contracts.typeOf(new Contract("letter", 1))).isEqualTo(First.class);
  }

  @Test
  void a_name_is_not_blank_and_a_version_at_least_1() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> new Contract(" ", 1))
        .withMessageContaining("blank");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> new Contract("a", 0))
        .withMessageContainingAll("'a'", "0", "at least 1");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> new Contract("a".repeat(257), 1))
        .withMessageContaining("257");
  }

  @Test
  void a_type_with_free_type_variables_is_refused() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> contracts.register(List.class, "list", 1))
        .withMessageContainingAll("java.util.List", "TypeReference");
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> contracts.register(Generic.class));
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> contracts.register(List[].class, "lists", 1));
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> contracts.register(new TypeReference<List<?>>() {}, "list", 1));
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> contracts.register(open(), "list", 1));
  }

  private static <T> TypeReference<Map<String, List<T>>> open() {
    return new TypeReference<>() {};
  }

  @Test
  void each_concrete_parameterisation_has_a_name_of_its_own() {
    TypeReference<Generic<String>> texts = new TypeReference<>() {};
    TypeReference<Generic<List<Integer>[]>> numbers = new TypeReference<>() {};
    contracts.register(texts, "texts", 1).register(numbers, "numbers", 1);

    assertThat(contracts.of(texts.type())).isEqualTo(new Contract("texts", 1));
    assertThat(contracts.of(numbers.type())).isEqualTo(new Contract("numbers", 1));
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> contracts.typeOf(new Generic<>("a")))
        .withMessageContainingAll("Generic", "2", "WriteOptions.type");
  }

  @Test
  void the_only_registered_parameterisation_need_not_be_named() {
    TypeReference<ArrayList<String>> texts = new TypeReference<>() {};
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> contracts.typeOf(new ArrayList<>()))
        .withMessageContaining("none");
    contracts.register(texts, "texts", 1);

    assertThat(contracts.typeOf(new ArrayList<>())).isEqualTo(texts.type());
  }

  @Test
  void an_upgrader_goes_from_one_version_to_the_next_under_one_name() {
    contracts
        .register(First.class, "letter", 1)
        .register(Second.class, "letter", 2)
        .register(Third.class, "letter", 3)
        .upgrade(First.class, Second.class, first -> new Second());

    assertThat(contracts.upgraderOf(new Contract("letter", 1)).apply(new First()))
        .isEqualTo(new Second());
    assertThat(contracts.upgraderOf(new Contract("letter", 2))).isNull();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> contracts.upgrade(First.class, Third.class, first -> new Third()))
        .withMessageContainingAll("letter v1", "letter v3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> contracts.upgrade(Second.class, First.class, second -> new First()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> contracts.upgrade(First.class, Second.class, first -> new Second()))
        .withMessageContaining("already");
  }

  @Test
  void an_upgrader_needs_registered_types() {
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> contracts.upgrade(First.class, Second.class, first -> new Second()));
  }
}
