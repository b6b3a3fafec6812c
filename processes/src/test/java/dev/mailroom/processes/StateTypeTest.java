package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StateTypeTest {

  @Test
  @DisplayName("no process shares its states with another one, whatever they are called")
  void apart() {
    assertThat(
            Set.of(
                StateType.ofProcess("a", null),
                StateType.ofProcess("a", "b"),
                StateType.ofProcess("a of b", null),
                StateType.ofProcess("a' of 'b", null),
                StateType.ofProcess("a", "b' of 'c"),
                StateType.ofProcess("a' of 'b", "c"),
                StateType.ofAggregation("a", null)))
        .hasSize(7);
  }

  @Test
  @DisplayName("the type can be read in the table")
  void readable() {
    assertThat(StateType.ofProcess("orders", "acme")).isEqualTo("process 'orders' of 'acme'");
    assertThat(StateType.ofAggregation("o'clock", null)).isEqualTo("aggregation 'o''clock'");
  }
}
