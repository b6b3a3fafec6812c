package dev.mailroom.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Contract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WrittenMessagesTest {
  private final ManualTime time = new ManualTime();
  private final List<String> handled = new ArrayList<>();
  private final Mailroom mailroom =
      Mailroom.builder()
          .store(MemoryStore.builder().time(time).build())
          .time(time)
          .contract(String.class, "note", 1)
          .contract(byte[].class, "blob", 1)
          .inbox(
              "notes",
              inbox ->
                  inbox.handler(
                      String.class,
                      delivery -> {
                        handled.add(delivery.payload());
                        return Result.success();
                      }))
          .build();
  private final WrittenMessages written = WrittenMessages.of(mailroom, "notes");

  @Test
  void what_waits_is_listed_in_the_order_it_was_written() {
    mailroom.inbox("notes").write("a", options -> options.delay(Duration.ofHours(1)));
    mailroom.inbox("notes").write("b", options -> options.groupKey("g").header("h", "v"));
    mailroom.inbox("notes").write(new byte[] {1});

    written.assertPayloads("a", "b", new byte[] {1});
    assertThat(written.payloads(String.class)).containsExactly("a", "b");
    WrittenMessage first = written.list().get(0);
    WrittenMessage second = written.list().get(1);
    assertThat(first.visibleAt()).isEqualTo(time.now().plus(Duration.ofHours(1)));
    assertThat(first.groupKey()).isNull();
    assertThat(second.groupKey()).isEqualTo("g");
    assertThat(second.headers()).isEqualTo(Map.of("h", "v"));
    assertThat(second.contract()).isEqualTo(new Contract("note", 1));
    assertThat(second.payload()).isEqualTo("b");
  }

  @Test
  void what_is_handled_waits_no_more() {
    mailroom.inbox("notes").write("a");
    mailroom.inbox("notes").write("later", options -> options.delay(Duration.ofHours(1)));

    assertThat(new ManualEngine(mailroom, "notes").run()).isEqualTo(1);

    assertThat(handled).containsExactly("a");
    assertThat(written.single().payload()).isEqualTo("later");
  }

  @Test
  void other_messages_than_expected_fail_the_test() {
    written.assertEmpty();
    assertThatExceptionOfType(AssertionError.class).isThrownBy(written::single);
    mailroom.inbox("notes").write("a", options -> options.groupKey("g"));

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> written.assertPayloads("b"))
        .withMessageContainingAll("'notes'", "[b]", "[a]");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(written::assertEmpty)
        .withMessageContainingAll("note v1", "'g'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WrittenMessages.of(mailroom, "nowhere"))
        .withMessageContaining("nowhere");
  }
}
