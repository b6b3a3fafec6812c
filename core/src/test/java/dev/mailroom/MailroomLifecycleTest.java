package dev.mailroom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.PayloadCodec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MailroomLifecycleTest {

  private static Mailroom mailroom() {
    return Mailroom.builder()
        .store(MemoryStore.create())
        .contract(String.class, "text", 1)
        .inbox("texts", inbox -> inbox.on(String.class, text -> {}))
        .inbox("bytes", inbox -> {})
        .build();
  }

  @Test
  void a_stopped_mailroom_starts_again() {
    try (Mailroom mailroom = mailroom()) {
      mailroom.start();
      mailroom.stop();
      assertThat(mailroom.isRunning()).isFalse();

      mailroom.inbox("texts").write("between");
      mailroom.start();
      assertThat(mailroom.isRunning()).isTrue();
    }
  }

  @Test
  void a_closed_mailroom_refuses_to_start() {
    Mailroom mailroom = mailroom();
    mailroom.start();
    mailroom.close();
    mailroom.close();

    assertThat(mailroom.isRunning()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(mailroom::start)
        .withMessageContainingAll("closed", "build a new one");
    assertThatIllegalStateException().isThrownBy(mailroom::startCleanUp);
    assertThatIllegalStateException().isThrownBy(mailroom::restart);
    assertThatIllegalStateException().isThrownBy(mailroom::processPending);
    assertThatIllegalStateException().isThrownBy(mailroom::cleanUp);
  }

  @Test
  void a_closed_mailroom_refuses_writes_and_still_shows_what_it_holds() {
    Mailroom mailroom = mailroom();
    Inbox inbox = mailroom.inbox("texts");
    inbox.write("before");
    mailroom.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> inbox.write("after"))
        .withMessageContainingAll("'texts'", "closed", "nothing was stored");
    assertThatIllegalStateException().isThrownBy(() -> inbox.writeAsync("after"));
    assertThatIllegalStateException().isThrownBy(() -> inbox.writeAll(List.of("after")));
    assertThat(inbox.inspect().counts().ready()).isEqualTo(1);
  }

  @Test
  void start_and_stop_log_one_line_each() {
    String log =
        logged(
            () -> {
              try (Mailroom mailroom = mailroom()) {
                mailroom.start();
              }
            });

    assertThat(log.lines().filter(line -> line.contains("Mailroom started")))
        .singleElement()
        .asString()
        .contains("INFO", "'texts' on MemoryStore: String", "'bytes' on MemoryStore: write-only");
    assertThat(log.lines().filter(line -> line.contains("Mailroom stopped")))
        .singleElement()
        .asString()
        .containsPattern("INFO.* in \\d+ ms");
  }

  @Test
  void the_log_line_says_if_only_the_clean_up_was_started() {
    String log =
        logged(
            () -> {
              try (Mailroom mailroom = mailroom()) {
                mailroom.startCleanUp();
              }
            });

    assertThat(log).contains("Mailroom started for clean-up only");
  }

  /** The simple logger writes to the standard error stream of the moment. */
  private static String logged(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return bytes.toString(UTF_8);
  }

  /** Writes anything as the name of its class. */
  private static final class NameCodec implements PayloadCodec {
    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return type.getTypeName().getBytes(UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      throw new UnsupportedOperationException();
    }
  }

  @MessageContract(name = "keyed")
  record Keyed(@Nullable String groupKey) implements HasGroupKey {}

  @Test
  void a_null_payload_is_named_as_such() {
    try (Mailroom mailroom = mailroom()) {
      Inbox inbox = mailroom.inbox("texts");

      assertThatThrownBy(() -> inbox.write(null))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContainingAll("'texts'", "payload", "is null");
      assertThatThrownBy(() -> inbox.writeAll(Arrays.asList("a", null)))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("is null");
      assertThatThrownBy(() -> inbox.writeAll(List.of(Outgoing.of(null, options -> {}))))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("is null");
    }
  }

  @Test
  void a_missing_group_key_says_where_the_null_came_from() {
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new NameCodec())
            .contract(String.class, "text", 1)
            .inbox("keyed", inbox -> inbox.options(o -> o.ordering(Ordering.REQUIRED)))
            .build()) {
      Inbox inbox = mailroom.inbox("keyed");

      refuses(
          () -> inbox.write(new Keyed(null)), Keyed.class.getName() + ".groupKey() returned null");
      refuses(() -> inbox.write(new Keyed(" ")), ".groupKey() returned a blank text");
      refuses(
          () -> inbox.write("text", options -> options.groupKey(null)),
          "options.groupKey(…) was called with null");
      refuses(
          () -> inbox.write(new Keyed("k"), options -> options.groupKey(" ")),
          "groupKey(…) was called with a blank text");
      refuses(() -> inbox.write("text"), "set one with options.groupKey(…)");
    }
  }

  private static void refuses(Runnable write, String reason) {
    assertThatThrownBy(write::run)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContainingAll("'keyed'", "no group key", reason);
  }
}
