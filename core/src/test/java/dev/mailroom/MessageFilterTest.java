package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.inspection.TimeRange;
import dev.mailroom.messages.Routing;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MessageFilterTest {
  private static final MessageFilter ALL = MessageFilter.all();

  @Test
  void every_part_is_kept_when_another_is_added() {
    Instant from = Instant.EPOCH;
    Instant before = from.plusSeconds(1);

    MessageFilter filter =
        ALL.in(MessageState.DEAD)
            .contract("c")
            .tenant("t")
            .groupKey("g")
            .deduplicationKey("d")
            .collapseKey("x")
            .correlationId("i")
            .created(from, before)
            .received(null, before)
            .error("e");

    assertThat(filter)
        .isEqualTo(
            new MessageFilter(
                Set.of(MessageState.DEAD),
                "c",
                new Routing("t", "g", "d", "x"),
                "i",
                new TimeRange(from, before),
                new TimeRange(null, before),
                "e"));
  }

  @Test
  void a_blank_text_is_refused_because_it_would_find_everything() {
    List<Function<String, MessageFilter>> parts =
        List.of(
            ALL::contract,
            ALL::tenant,
            ALL::groupKey,
            ALL::deduplicationKey,
            ALL::collapseKey,
            ALL::correlationId,
            ALL::error);
    for (Function<String, MessageFilter> part : parts) {
      assertThatThrownBy(() -> part.apply(" "))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is blank: leave it out to find any");
    }
  }

  @Test
  void a_range_holds_its_beginning_and_not_its_end() {
    TimeRange range = new TimeRange(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));

    assertThat(range.contains(Instant.EPOCH)).isTrue();
    assertThat(range.contains(Instant.EPOCH.minusNanos(1))).isFalse();
    assertThat(range.contains(Instant.EPOCH.plusSeconds(1))).isFalse();
    assertThat(range.contains(Instant.EPOCH.plusSeconds(1).minusNanos(1))).isTrue();
    assertThat(TimeRange.ALL.contains(Instant.MIN)).isTrue();
    assertThat(TimeRange.ALL.contains(Instant.MAX)).isTrue();
  }
}
