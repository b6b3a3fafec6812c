package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyBudgetTest {
  private static final int MEBIBYTE = 1 << 20;

  @Test
  void it_is_an_eighth_of_the_heap_and_is_given_back() {
    BodyBudget budget = BodyBudget.ofHeap(256L * MEBIBYTE, MEBIBYTE);

    assertThat(budget.take(32L * MEBIBYTE)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.giveBack(1);
    assertThat(budget.take(1)).isTrue();
  }

  @Test
  void one_body_always_fits() {
    BodyBudget budget = BodyBudget.ofHeap(16L * MEBIBYTE, 4 * MEBIBYTE);

    assertThat(budget.take(4L * MEBIBYTE)).isTrue();
    assertThat(budget.take(1)).isFalse();
  }
}
