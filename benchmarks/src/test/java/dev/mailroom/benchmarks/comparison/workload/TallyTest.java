package dev.mailroom.benchmarks.comparison.workload;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void isContentWhenEachMessageWasHandledOnceOrIsLeft() {
    Tally tally = new Tally(0);
    tally.handled(1);
    tally.handled(0);
    assertThatCode(() -> tally.check(5, 3)).doesNotThrowAnyException();
  }

  @Test
  void seesAMessageThatWasHandledTwice() {
    Tally tally = new Tally(0);
    tally.handled(0);
    tally.handled(0);
    assertThatThrownBy(() -> tally.check(2, 0))
        .isInstanceOf(BrokenPromiseException.class)
        .hasMessageContaining("1 more than once");
  }

  @Test
  void seesAMessageThatWasLost() {
    Tally tally = new Tally(0);
    tally.handled(0);
    assertThatThrownBy(() -> tally.check(3, 1)).isInstanceOf(BrokenPromiseException.class);
  }

  @Test
  void seesAMessageThatNobodyHasAppended() {
    Tally tally = new Tally(0);
    tally.handled(7);
    assertThatThrownBy(() -> tally.check(1, 0)).isInstanceOf(BrokenPromiseException.class);
  }

  @Test
  void seesAGroupThatIsOutOfOrder() {
    Tally tally = new Tally(2);
    tally.handled(2);
    tally.handled(1);
    tally.handled(0);
    assertThatThrownBy(() -> tally.check(3, 0))
        .isInstanceOf(BrokenPromiseException.class)
        .hasMessageContaining("1 out of order");
  }

  @Test
  void letsGroupsOvertakeEachOther() {
    Tally tally = new Tally(2);
    tally.handled(1);
    tally.handled(3);
    tally.handled(0);
    tally.handled(2);
    assertThatCode(() -> tally.check(4, 0)).doesNotThrowAnyException();
  }
}
