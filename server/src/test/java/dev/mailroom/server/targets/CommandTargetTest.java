package dev.mailroom.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Timing;
import dev.mailroom.messages.Trace;
import dev.mailroom.server.Await;
import dev.mailroom.spi.HandlerOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CommandTargetTest {
  private static final UUID ID = UUID.randomUUID();

  @TempDir private Path directory;

  /** Not in the tests themselves: one that is given up never comes to its end. */
  @AfterEach
  void killWhatIsLeft() throws IOException {
    if (Files.exists(directory.resolve("child"))) {
      child().ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private Result run(String script, Duration timeout, byte[] payload) throws Exception {
    try (CommandTarget target =
        new CommandTarget(
            List.of("/bin/sh", "-c", script), timeout, directory, Set.of("PATH_TO_SECRETS"))) {
      return target.deliver(message(payload), 3).result();
    }
  }

  private Result run(String script) throws Exception {
    return run(script, Duration.ofMinutes(1), "payload".getBytes(StandardCharsets.UTF_8));
  }

  private static Message message(byte[] payload) {
    return new Message(
        "webhooks",
        new Envelope(
            ID,
            new Payload(new Contract("github.push", 1), "application/json", payload),
            new Routing("acme", "group", null, null),
            Trace.NONE,
            Map.of("mailroom-webhook-source", "github", "x-odd header", "1")),
        new Timing(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, null),
        new Progress(1, 7, 0, 0, null, null),
        Map.of());
  }

  @Test
  void a_program_gets_the_payload_and_what_is_known_of_it() throws Exception {
    assertThat(run("cat > payload; env | grep ^MAILROOM_ | sort > environment"))
        .isEqualTo(Result.success());

    assertThat(directory.resolve("payload")).hasContent("payload");
    assertThat(lines("environment"))
        .contains(
            "MAILROOM_MESSAGE_ID=" + ID,
            "MAILROOM_CONTRACT=github.push",
            "MAILROOM_INBOX=webhooks",
            "MAILROOM_ATTEMPT=3",
            "MAILROOM_TENANT=acme",
            "MAILROOM_GROUP=group",
            "MAILROOM_CONTENT_TYPE=application/json",
            "MAILROOM_HEADER_WEBHOOK_SOURCE=github",
            "MAILROOM_HEADER_X_ODD_HEADER=1");
  }

  private List<String> lines(String file) throws IOException {
    return Files.readAllLines(directory.resolve(file));
  }

  @Test
  void another_exit_code_is_a_failure_that_says_what_the_program_said() throws Exception {
    assertThat(run("echo out; echo err >&2; exit 7").outcome())
        .isInstanceOfSatisfying(
            HandlerOutcome.Failed.class,
            failed -> assertThat(failed.reason()).contains("exit code 7", "out", "err"));
  }

  @Test
  void a_program_that_takes_too_long_is_killed_with_what_it_started() throws Exception {
    Result result = run("sleep 600 & echo $! > child; wait", Duration.ofMillis(300), new byte[0]);

    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            HandlerOutcome.Failed.class,
            failed -> assertThat(failed.reason()).contains("took longer than 300ms"));
    awaitEndOfChild();
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_failure_does_not_wait_for_what_the_program_left_running() throws Exception {
    assertThat(run("echo words; sleep 600 & echo $! > child; exit 1").outcome())
        .isInstanceOfSatisfying(
            HandlerOutcome.Failed.class,
            failed -> assertThat(failed.reason()).contains("exit code 1", "words"));
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void what_a_failing_program_has_left_running_is_killed() throws Exception {
    // It lives on long enough for its child to be seen.
    assertThat(run("sleep 600 & echo $! > child; sleep 2; exit 1").outcome())
        .isInstanceOf(HandlerOutcome.Failed.class);

    awaitEndOfChild();
  }

  @Test
  void what_a_successful_program_has_left_running_keeps_no_thread() throws Exception {
    assertThat(run("sleep 600 & echo $! > child; exit 0")).isEqualTo(Result.success());

    Await.until(
        "no thread is left",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("mailroom-command")));
    assertThat(child()).hasValueSatisfying(child -> assertThat(child.isAlive()).isTrue());
  }

  /** The process whose id the script has written down. */
  private Optional<ProcessHandle> child() throws IOException {
    return ProcessHandle.of(Long.parseLong(lines("child").get(0)));
  }

  private void awaitEndOfChild() throws IOException {
    Optional<ProcessHandle> child = child();
    Await.until("the child is gone", () -> child.map(handle -> !handle.isAlive()).orElse(true));
  }

  @Test
  void output_without_end_is_read_and_cut() throws Exception {
    assertThat(run("yes | head -c 5000000; exit 1").outcome())
        .isInstanceOfSatisfying(
            HandlerOutcome.Failed.class,
            failed -> assertThat(failed.reason()).hasSizeLessThan(2_200));
  }

  @Test
  void a_program_need_not_read_its_input() throws Exception {
    assertThat(run("exit 0", Duration.ofMinutes(1), new byte[1 << 20])).isEqualTo(Result.success());
  }

  @Test
  void a_program_that_is_not_there_is_a_failure() throws Exception {
    try (CommandTarget target =
        new CommandTarget(List.of("/not/there"), Duration.ofSeconds(1), directory, Set.of())) {
      DeliveryResult answer = target.deliver(message(new byte[0]), 1);

      assertThat(answer.result().outcome()).isInstanceOf(HandlerOutcome.Failed.class);
      assertThat(answer.available()).isFalse();
    }
  }
}
