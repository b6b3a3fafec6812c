package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.jdbc.GroupStarts.Moment;
import dev.mailroom.jdbc.GroupStarts.Seen;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupStartsTest {
  private static final int CHANNEL = 1;
  private static final int SERVER = 7;

  private final GroupStarts starts = new GroupStarts();

  /** A claim: what it sees, and the highest number that it finds. */
  private long claim(int channel, long oldest, Long own, int server, long number) {
    Seen seen = starts.seen(channel);
    Moment moment = new Moment(oldest, own, server);
    long visible = starts.visible(channel, moment, seen);
    starts.found(channel, moment, Map.of(), visible, number);
    return visible;
  }

  private long claim(long oldest, Long own, long number) {
    return claim(CHANNEL, oldest, own, SERVER, number);
  }

  @Test
  void a_number_counts_once_all_have_ended_that_had_begun_when_it_was_seen() {
    claim(100, 100L, 5);
    claim(101, 101L, 9); // has seen 5 before it began
    assertThat(claim(101, 102L, 12)).as("101 may be open").isZero();
    assertThat(claim(102, 103L, 20)).isEqualTo(5);
    assertThat(claim(103, 104L, 20)).as("103 may be open").isEqualTo(5);
    assertThat(claim(104, 105L, 20)).as("what 103 had seen before it began").isEqualTo(12);
  }

  @Test
  void a_claim_that_writes_nothing_has_no_transaction_to_tell_others_by() {
    claim(100, 100L, 5);
    claim(101, 101L, 9);
    assertThat(claim(102, null, 20)).isEqualTo(5);
    assertThat(claim(200, null, 20)).isEqualTo(5);
  }

  @Test
  void another_server_is_another_story() {
    claim(100, 100L, 5);
    claim(101, 101L, 9);
    Seen before = starts.seen(CHANNEL);
    assertThat(claim(102, 102L, 9)).isEqualTo(5);

    assertThat(claim(CHANNEL, 500, 500L, SERVER + 1, 1)).isZero();
    Moment moment = new Moment(501, 501L, SERVER + 1);
    assertThat(starts.visible(CHANNEL, moment, before)).as("seen on the first").isZero();
    assertThat(before.visibleAt(moment)).isZero();
  }

  @Test
  void a_channel_has_numbers_of_its_own() {
    claim(100, 100L, 5_000);
    claim(101, 101L, 5_000);

    assertThat(claim(102, 102L, 5_000)).isEqualTo(5_000);
    assertThat(claim(CHANNEL + 1, 103, 103L, SERVER, 5)).isZero();
    assertThat(claim(CHANNEL + 1, 104, 104L, SERVER, 5)).isZero();
    assertThat(claim(CHANNEL + 1, 105, 105L, SERVER, 5)).isEqualTo(5);
  }
}
