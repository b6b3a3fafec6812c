package dev.mailroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Limits;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.CleanUp;
import dev.mailroom.options.Defaults;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.HandlerOutcome;
import dev.mailroom.spi.Purge;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The tables of docs/defaults.md come from the constants: what differs is printed to paste. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DefaultsTest {
  private static final String BEGIN = "<!-- generated from the constants: begin -->\n";
  private static final String END = "<!-- generated from the constants: end -->\n";

  private final InboxOptions options = InboxOptions.defaults();
  private final StringBuilder text = new StringBuilder();

  @Test
  void the_page_shows_the_constants() throws IOException {
    String page = Files.readString(page());
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(begin).as("the marker before the tables").isGreaterThanOrEqualTo(BEGIN.length());
    assertThat(end).as("the marker behind the tables").isGreaterThanOrEqualTo(begin);

    String generated = tables();

    assertThat(page.substring(begin, end))
        .as("docs/defaults.md, between the markers, should be:%n%s%n", generated)
        .isEqualTo(generated);
  }

  @Test
  void every_option_of_an_inbox_is_in_the_tables() {
    String tables = tables();
    List<String> missing = new ArrayList<>();
    for (Method method : InboxOptionsBuilder.class.getMethods()) {
      if (method.getReturnType() == InboxOptionsBuilder.class
          && !tables.contains("| `" + method.getName() + "`")) {
        missing.add(method.getName());
      }
    }

    assertThat(missing).isEmpty();
  }

  @Test
  void every_inbox_starts_from_the_constants() {
    assertThat(options.handling().retry()).isEqualTo(RetryPolicy.defaults());
    assertThat(RetryPolicy.defaults().attempts()).isEqualTo(Defaults.ATTEMPTS);
    assertThat(RetryPolicy.defaults().backoff()).isEqualTo(Defaults.RETRY_BACKOFF);
    assertThat(RetryPolicy.defaults().deferrals()).isEqualTo(Defaults.DEFERRALS);
    assertThat(options.cleanUp().keySet()).containsExactlyInAnyOrder(Purge.values());
    assertThat(options.cleanUp().values()).containsOnly(CleanUp.defaults());
    assertThat(options.policy().crashes().limit()).isEqualTo(Defaults.CRASHES);
    assertThat(StorageRetry.defaults().retries()).isEqualTo(Defaults.STORAGE_RETRIES);
    assertThat(StorageRetry.defaults().backoff()).isEqualTo(Defaults.STORAGE_BACKOFF);
  }

  private static Path page() {
    Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    return module.resolveSibling("docs").resolve("defaults.md");
  }

  private String tables() {
    text.setLength(0);
    inboxes();
    retries();
    mailroom();
    limits();
    return text.toString();
  }

  private void inboxes() {
    table(
        "Inbox options",
        "`inbox.options(o -> o.concurrency(4))`, or `InboxOptions.of(o -> o.concurrency(4))` for reuse.");
    row("ordering", "order per group: `NONE`, `WHEN_KEYED` or `REQUIRED`", options.ordering());
    InboxOptions.Reading reading = options.reading();
    row("readBatch", "the most messages one claim leases, one batch is given", reading.batch());
    String polls = words(reading.poll()) + " to " + words(reading.maximumPoll());
    row("poll", "how often an idle inbox is polled: at first, in the long run", polls);
    row("delayBetweenReads", "the pause between two claims", reading.delayBetweenReads());
    row("tenant", "handle this tenant's messages only", or(reading.tenant(), "every tenant's"));
    InboxOptions.Writing writing = options.writing();
    row("coalescing", "gather concurrent single writes into one append", writing.coalescing());
    row("writeBatch", "the most messages one gathered append has", writing.batch());
    row("writeConcurrency", "the most gathered appends at once", writing.concurrency());
    InboxOptions.Leasing leasing = options.leasing();
    row("lease", "how long a lease lasts unless it is extended", leasing.duration());
    row("leaseExtension", "extend leases while handlers run", leasing.extended());
    row("extensionThreshold", "the part of the lease after which to extend", leasing.threshold());
    row(
        "reclaim",
        "how often expired leases are reclaimed",
        or(leasing.reclaim(), "a quarter of the lease, 5 seconds at most"));
    row("worker", "this worker's name", or(leasing.worker(), "host, process, random part"));
    InboxOptions.Handling handling = options.handling();
    row("concurrency", "handlers at once", handling.concurrency());
    row("retry", "what becomes of failures", "see below");
    row("handlerTimeout", "how long one call may take", or(handling.timeout(), "no limit"));
    row("shutdownGrace", "how long handlers may go on after stop", handling.shutdownGrace());
    row(
        "park",
        "how long messages with an unknown contract are kept before they are dead-lettered",
        handling.park());
    row(
        "afterDeadLetter",
        "a group whose head is dead-lettered: `CONTINUE` or `PARK`",
        options.policy().afterDeadLetter());
    String crashes =
        options.policy().crashes().limit() + ", " + words(options.policy().crashes().backoff());
    row(
        "crashes",
        "how often a message may crash its worker, and how long it waits after that",
        crashes);
    row(
        "deduplicationWindow",
        "how long a deduplication key is kept; null is for ever",
        or(options.policy().deduplicationWindow(), "for ever"));
    row(
        "deadLetters",
        "keep dead letters; unknown, unhandled and undecodable messages always",
        options.policy().keepDeadLetters());
    row(
        "deadLetterLifetime",
        "how long dead letters are kept; null is for ever",
        or(options.policy().deadLetterLifetime(), "for ever"));
    row(
        "history",
        "how long completed messages are kept; null is not at all",
        or(options.policy().history(), "not at all"));
    CleanUp cleanUp = CleanUp.defaults();
    String task =
        "every "
            + words(cleanUp.interval())
            + ", "
            + words(cleanUp.batch())
            + " rows at a time, again "
            + words(cleanUp.restartDelay())
            + " after a failure";
    row("cleanUp", "how each of " + Arrays.toString(Purge.values()) + " is removed", task);
  }

  private void retries() {
    RetryPolicy retry = options.handling().retry();
    table(
        "Retry policy",
        "`options(o -> o.retry(retry -> retry.attempts(3)))` per inbox, `o -> o.attempts(3)` per handler.");
    row("attempts", "how often a handler is called for a message in all", retry.attempts());
    row("backoff", "how long it waits between two attempts", words(retry.backoff()));
    row("deferrals", "how often its handler may ask for a later time", retry.deferrals());
    row("permanent", "errors after which it is dead-lettered at once", "none");
    row("SHORTEST_RETRY", "the shortest time a handler can ask for", HandlerOutcome.SHORTEST_RETRY);
  }

  private void mailroom() {
    table("Mailroom options", "`Mailroom.builder()`.");
    row("maximumPayload", "the largest payload", words(Defaults.PAYLOAD_BYTES) + " bytes");
    row(
        "storageRetry",
        "how often a failed write is retried, and how long it waits",
        StorageRetry.defaults().retries() + " times, " + words(StorageRetry.defaults().backoff()));
    row("cleanUp", "clean up in this process", true);
  }

  private void limits() {
    table("Limits", "Fixed: going over one is an error before anything is written.");
    row("KEY_LENGTH", "the longest key, name or id", words(Limits.KEY_LENGTH) + " characters");
    row("HEADERS", "the most headers of a message", Limits.HEADERS);
    row("HEADER_LENGTH", "the longest header", words(Limits.HEADER_LENGTH) + " characters");
    row(
        "TRACE_STATE_LENGTH",
        "the longest trace state",
        words(Limits.TRACE_STATE_LENGTH) + " characters");
    row(
        "ERROR_LENGTH",
        "the longest error kept; longer ones are cut",
        words(Limits.ERROR_LENGTH) + " characters");
    row("APPEND_BATCH", "the most messages of one write", words(Limits.APPEND_BATCH));
    row("BATCH", "the most messages of one claim, settlement or redrive", words(Limits.BATCH));
    row("CHECKPOINTS", "the most checkpoints of a message", Limits.CHECKPOINTS);
  }

  private void table(String title, String where) {
    text.append("\n## ").append(title).append("\n\n").append(where).append("\n\n");
    text.append("| option | meaning | default |\n|---|---|---|\n");
  }

  private void row(String option, String meaning, Object value) {
    String shown =
        value instanceof Duration duration
            ? words(duration)
            : value instanceof Boolean yes
                ? (yes ? "yes" : "no")
                : value instanceof Enum<?> word ? "`" + word + "`" : value.toString();
    text.append("| `").append(option).append("` | ").append(meaning);
    text.append(" | ").append(shown).append(" |\n");
  }

  private static Object or(@Nullable Object value, String otherwise) {
    return value == null ? otherwise : value;
  }

  private static String words(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String words(Backoff backoff) {
    String jitter = backoff.jitter() == 0 ? "" : ", ±" + Math.round(backoff.jitter() * 100) + " %";
    return backoff.growth().name().toLowerCase(Locale.ROOT)
        + " from "
        + words(backoff.first())
        + " to "
        + words(backoff.maximum())
        + jitter;
  }

  private static String words(Duration duration) {
    if (duration.isZero()) {
      return "none";
    }
    long millis = duration.toMillis();
    long[] sizes = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    String[] units = {"day", "hour", "minute", "second", "millisecond"};
    int unit = 0;
    while (millis % sizes[unit] != 0) {
      unit++;
    }
    long count = millis / sizes[unit];
    return count + " " + units[unit] + (count == 1 ? "" : "s");
  }
}
