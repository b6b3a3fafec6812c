package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Defaults;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StateUpgradeTest {
  @MessageContract(name = "test.go")
  record Go(String key) {}

  @MessageContract(name = "test.counter", version = 1)
  record OldCounter(int count) {}

  @MessageContract(name = "test.counter", version = 2)
  record Counter(int count, String unit) {}

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  private MailroomBuilder mailroom() {
    return Mailroom.builder().store(store).time(time).codec(new JacksonCodec());
  }

  private Processes<OldCounter> older() {
    Processes<OldCounter> old =
        Processes.of("counters", OldCounter.class)
            .initial(key -> new OldCounter(0))
            .starts(Go.class, Go::key, (step, go) -> new OldCounter(step.state().count() + 1))
            .build();
    mailroom().add(old).build();
    return old;
  }

  private Processes<Counter> newer() {
    Processes<Counter> counters =
        Processes.of("counters", Counter.class)
            .initial(key -> new Counter(0, "none"))
            .starts(
                Go.class,
                Go::key,
                (step, go) -> new Counter(step.state().count() + 1, step.state().unit()))
            .build();
    mailroom()
        .contracts(
            known ->
                known
                    .register(OldCounter.class)
                    .register(Counter.class)
                    .upgrade(
                        OldCounter.class,
                        Counter.class,
                        before -> new Counter(before.count(), "pieces")))
        .add(counters)
        .build();
    return counters;
  }

  @Test
  void a_state_stored_by_an_older_version_is_upgraded_when_it_is_read() {
    Processes<OldCounter> old = older();
    old.send(new Go("a"));
    old.processPending();

    Processes<Counter> counters = newer();
    counters.send(new Go("a"));
    counters.processPending();

    assertThat(counters.find("a").orElseThrow().state()).isEqualTo(new Counter(2, "pieces"));
  }

  @Test
  void a_step_from_a_state_of_a_newer_version_waits_for_that_version() {
    Processes<Counter> counters = newer();
    counters.send(new Go("a"));
    counters.processPending();

    Processes<OldCounter> old = older();
    old.send(new Go("a"));
    for (int i = 0; i < 2 * Defaults.ATTEMPTS; i++) {
      old.processPending();
      time.advance(Duration.ofMinutes(5));
    }
    assertThat(old.deadLetters().list(DeadLetterFilter.all(), 10).letters()).isEmpty();

    counters.processPending();
    assertThat(counters.find("a").orElseThrow().state()).isEqualTo(new Counter(2, "none"));
  }
}
