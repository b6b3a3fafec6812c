package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.Mailroom;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManualEngineTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final List<String> handled = new ArrayList<>();
  private final Mailroom mailroom =
      Mailroom.builder()
          .store(MemoryStore.builder().time(time).build())
          .time(time)
          .contract(String.class, "text", 1)
          .inbox(
              "texts", inbox -> inbox.options(o -> o.lease(LEASE)).on(String.class, handled::add))
          .inbox("write-only", inbox -> {})
          .build();
  private final ManualEngine engine = new ManualEngine(mailroom, "texts");

  private ChannelCounts counts() {
    return mailroom.inbox("texts").inspect().counts();
  }

  @Test
  void handles_what_is_due_by_the_tests_clock() {
    mailroom.inbox("texts").write("now");
    mailroom.inbox("texts").write("later", options -> options.delay(Duration.ofHours(1)));

    assertThat(engine.run()).isEqualTo(1);
    assertThat(handled).containsExactly("now");
    time.advance(Duration.ofHours(1));
    assertThat(engine.run()).isEqualTo(1);
    assertThat(handled).containsExactly("now", "later");
  }

  @Test
  void takes_one_step_at_a_time() {
    mailroom.inbox("texts").write("a");

    engine.fetch();
    assertThat(engine.buffered()).isEqualTo(1);
    assertThat(engine.handle()).isTrue();
    assertThat(engine.handle()).isFalse();
    assertThat(handled).containsExactly("a");
    assertThat(counts().leased()).as("before it is settled").isEqualTo(1);
    engine.settle();
    assertThat(counts().leased()).isZero();
    assertThat(engine.holdsLeases()).isFalse();
  }

  @Test
  void one_that_is_thrown_away_is_a_process_that_died() {
    mailroom.inbox("texts").write("a");
    engine.fetch();

    ManualEngine second = new ManualEngine(mailroom, "texts");
    assertThat(second.run()).isZero();
    time.advance(LEASE.plusSeconds(1));
    assertThat(second.reclaim()).isEqualTo(1);
    time.advance(Duration.ofHours(1)); // the back-off after a crash
    assertThat(second.run()).isEqualTo(1);
    assertThat(handled).containsExactly("a");
  }

  @Test
  void keeps_its_leases_and_sweeps_when_told_to() {
    mailroom.inbox("texts").write("a");
    engine.fetch();
    time.advance(LEASE.dividedBy(2));
    engine.extendLeases();
    time.advance(LEASE.dividedBy(2).plusSeconds(1));
    new ManualEngine(mailroom, "texts").sweep();
    assertThat(counts().leased()).as("the extended lease").isEqualTo(1);

    time.advance(LEASE);
    new ManualEngine(mailroom, "texts").sweep();
    assertThat(counts().leased()).isZero();
  }

  @Test
  void a_stop_gives_back_what_was_not_handled() {
    mailroom.inbox("texts").write("a");
    engine.fetch();

    engine.stop();

    assertThat(counts().ready()).isEqualTo(1);
    assertThat(handled).isEmpty();
  }

  @Test
  void an_inbox_without_handlers_has_none() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ManualEngine(mailroom, "write-only"))
        .withMessageContaining("write-only");
  }
}
