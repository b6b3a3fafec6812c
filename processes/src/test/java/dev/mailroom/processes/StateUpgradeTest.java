package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
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

  private final MemoryStore store = MemoryStore.create();

  private MailroomBuilder mailroom() {
    return Mailroom.builder().store(store).codec(new JacksonCodec());
  }

  @Test
  void a_state_stored_by_an_older_version_is_upgraded_when_it_is_read() {
    Processes<OldCounter> old =
        Processes.of("counters", OldCounter.class)
            .initial(key -> new OldCounter(0))
            .starts(Go.class, Go::key, (step, go) -> new OldCounter(step.state().count() + 1))
            .build();
    mailroom().add(old).build();
    old.send(new Go("a"));
    old.processPending();

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
    counters.send(new Go("a"));
    counters.processPending();

    assertThat(counters.find("a").state()).isEqualTo(new Counter(2, "pieces"));
  }
}
