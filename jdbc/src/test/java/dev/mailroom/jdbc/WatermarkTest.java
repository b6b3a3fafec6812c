package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.Watermark.Range;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatermarkTest {
  private static final long QUICK = 1;
  private static final long SLOWISH = 25_000_000;
  private static final long SLOW = 500_000_000;
  private static final long MOMENT = Watermark.MOMENT_NANOS;

  private final Watermark mark = new Watermark(0);

  @Test
  void it_begins_at_the_start_and_has_nothing_behind_it() {
    assertThat(mark.ahead()).isEqualTo(Range.ALL);
    assertThat(mark.behind().isEmpty()).isTrue();
    assertThat(mark.isLookDue(Long.MAX_VALUE / 2)).isFalse();
  }

  @Test
  void it_moves_forward_only() {
    mark.advance(10);
    mark.advance(5);

    assertThat(mark.ahead().after()).isEqualTo(10);
    assertThat(mark.behind()).isEqualTo(new Range(0, 10));
  }

  @Test
  void a_look_is_due_an_interval_after_the_last_round() {
    mark.advance(10);

    assertThat(mark.isLookDue(Watermark.INTERVAL_NANOS - 1)).isFalse();
    assertThat(mark.isLookDue(Watermark.INTERVAL_NANOS)).isTrue();
    assertThat(mark.lookedAt(mark.behind(), Watermark.INTERVAL_NANOS, QUICK)).isTrue();
    assertThat(mark.isLookDue(Watermark.INTERVAL_NANOS + 1)).isFalse();
  }

  @Test
  void a_slow_look_makes_slices_that_together_cover_everything() {
    mark.advance(1_000_000);
    mark.lookedAt(mark.behind(), 0, SLOW);

    long covered = 0;
    boolean ended = false;
    int slices = 0;
    while (!ended) {
      Range range = mark.behind();
      assertThat(range.after()).isEqualTo(covered);
      covered = range.until();
      ended = mark.lookedAt(range, 0, SLOW);
      slices++;
    }

    assertThat(covered).isEqualTo(1_000_000);
    assertThat(slices).isGreaterThan(10);
  }

  @Test
  void after_a_slow_look_it_rests_nine_times_as_long() {
    mark.advance(1_000_000);

    mark.lookedAt(mark.behind(), 2 * SLOW, SLOWISH);

    assertThat(mark.restLeft(2 * SLOW)).isEqualTo(9 * SLOWISH);
    assertThat(mark.isLookDue(2 * SLOW + 9 * SLOWISH - 1)).isFalse();
  }

  @Test
  void it_never_rests_for_longer_than_it_does_between_quick_looks() {
    mark.advance(1_000_000);

    mark.lookedAt(mark.behind(), SLOW, SLOW);

    assertThat(mark.restLeft(SLOW)).isEqualTo(Watermark.INTERVAL_NANOS);
    assertThat(mark.isLookDue(SLOW + Watermark.INTERVAL_NANOS)).isTrue();
  }

  @Test
  void a_quick_look_can_be_repeated_at_once() {
    mark.advance(10);

    mark.lookedAt(mark.behind(), QUICK, QUICK);

    assertThat(mark.restLeft(QUICK)).isZero();
  }

  @Test
  void quick_looks_make_the_slices_grow_again() {
    mark.advance(1_000_000);
    mark.lookedAt(mark.behind(), 0, SLOW);
    for (int i = 0; i < 40; i++) {
      mark.lookedAt(mark.behind(), 0, QUICK);
    }
    while (mark.behind().after() > 0) {
      mark.lookedAt(mark.behind(), 0, QUICK);
    }

    assertThat(mark.behind()).isEqualTo(new Range(0, 1_000_000));
  }

  @Test
  void what_was_passed_in_the_last_moments_is_recent() {
    mark.advance(10);
    assertThat(mark.recent(0)).isEqualTo(new Range(0, 10));
    assertThat(mark.recent(MOMENT)).isEqualTo(new Range(0, 10));
    mark.advance(20);
    assertThat(mark.recent(2 * MOMENT)).isEqualTo(new Range(10, 20));
    assertThat(mark.recent(3 * MOMENT).isEmpty()).isTrue();
  }

  @Test
  void claims_look_at_it_once_in_a_moment() {
    mark.advance(10);
    assertThat(mark.next(MOMENT).after()).isZero();
    mark.advance(20);
    assertThat(mark.next(MOMENT + 1).after()).isEqualTo(20);
    assertThat(mark.next(2 * MOMENT).after()).isEqualTo(10);
    assertThat(mark.next(2 * MOMENT + 1).after()).isEqualTo(20);
  }
}
