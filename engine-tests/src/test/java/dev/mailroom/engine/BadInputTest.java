package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What cannot work is refused with a clear error, and nothing is stored. */
class BadInputTest {
  private static final String LONG = "x".repeat(257);

  private final EngineFixture fixture = EngineFixture.manual();

  private void refused(ThrowingCallable call, String... words) {
    long before = fixture.alive() + fixture.counts().dead();
    assertThatThrownBy(call)
        .isInstanceOfAny(MailroomException.class, IllegalArgumentException.class)
        .hasMessageContainingAll(words);
    assertThat(fixture.alive() + fixture.counts().dead())
        .as("nothing was stored")
        .isEqualTo(before);
  }

  private void refusedOption(WriteOptions options, String... words) {
    refused(() -> fixture.write("a", options), words);
  }

  @Test
  @DisplayName("unknown inbox")
  void unknownInbox() {
    fixture.writeOnly();

    refused(() -> fixture.mailroom().inbox("nodes"), "'nodes'", "[notes]");
    refused(() -> fixture.mailroom().pause("nodes"), "'nodes'", "[notes]");
    refused(() -> fixture.mailroom().resume("nodes"), "'nodes'");
    refused(() -> fixture.mailroom().processPending("notes", "nodes"), "'nodes'");
    refused(() -> fixture.mailroom().cleanUp("nodes"), "'nodes'");
  }

  @Test
  @DisplayName("a transaction named by one message of a batch")
  void transactionOfOneMessage() {
    fixture.writeOnly();
    WriteOptions inTransaction = WriteOptions.builder().in(action -> {}).build();

    refused(
        () -> fixture.inbox().writeAll(List.of("a", new Outgoing("b", inTransaction))),
        "transaction",
        "writeAll(messages, transaction)");
  }

  @Test
  @DisplayName("options given twice, of which the first would be lost")
  void optionsGivenTwice() {
    refused(
        () ->
            fixture.inbox(
                inbox ->
                    inbox
                        .options(options -> options.ordering(Ordering.REQUIRED))
                        .options(options -> options.concurrency(2))),
        "'notes'",
        "set before");
  }

  @Test
  @DisplayName("options that are null are reported by name with the rest")
  void nullOptions() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(() -> InboxOptions.builder().concurrency(0).lease(null).build())
        .withMessageContaining("concurrency is 0")
        .withMessageContaining("lease is null");
  }

  @Test
  @DisplayName("unregistered contract")
  void unregisteredContract() {
    fixture.writeOnly();

    refused(() -> fixture.inbox().write(42), "java.lang.Integer", "@MessageContract", "register");
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(() -> fixture.inbox().writeAll(List.of("a", 42)));
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("unregistered contract of a handler")
  void unregisteredHandler() {
    assertThatExceptionOfType(UnknownContractException.class)
        .isThrownBy(
            () ->
                fixture.inbox(inbox -> inbox.handler(Integer.class, delivery -> Result.success())))
        .withMessageContaining("java.lang.Integer");
  }

  @Test
  @DisplayName("open-generic contract")
  void openGeneric() {
    refused(
        () -> Mailroom.builder().contract(List.class, "list", 1),
        "java.util.List",
        "type parameter",
        "TypeReference");
    refused(
        () -> Mailroom.builder().contracts(c -> c.register(open(), "open", 1)), "java.util.List");
  }

  private static <T> TypeReference<List<T>> open() {
    return new TypeReference<>() {};
  }

  @Test
  @DisplayName("a generic payload without a registered parameterisation")
  void genericPayload() {
    fixture.writeOnly();

    refused(
        () -> fixture.inbox().write(new ArrayList<>(List.of("a"))),
        "java.util.ArrayList",
        "WriteOptions.type");
  }

  @Test
  @DisplayName("over-long keys")
  void longKeys() {
    fixture.writeOnly();

    refusedOption(
        WriteOptions.builder().deduplicationKey(LONG).build(), "deduplication key", "257", "256");
    refusedOption(WriteOptions.builder().groupKey(LONG).build(), "group key", "257", "256");
    refusedOption(WriteOptions.builder().collapseKey(LONG).build(), "collapse key", "257", "256");
    refusedOption(WriteOptions.builder().tenant(LONG).build(), "tenant", "257", "256");
    refusedOption(WriteOptions.builder().correlationId(LONG).build(), "correlation id", "257");
    refusedOption(WriteOptions.builder().causationId(LONG).build(), "causation id", "257");
    fixture.write("the longest", options -> options.deduplicationKey("x".repeat(256)));
  }

  @Test
  @DisplayName("missing or blank group key where it is required")
  void missingGroupKey() {
    fixture.options(options -> options.ordering(Ordering.REQUIRED)).writeOnly();

    refused(() -> fixture.write("a"), "'notes'", "no group key", "required", "HasGroupKey");
    refusedOption(WriteOptions.builder().groupKey("  ").build(), "no group key");
  }

  @Test
  @DisplayName("payload over the limit")
  void payloadOverTheLimit() {
    fixture.writeOnly();
    int limit = 1 << 20;

    refused(() -> fixture.inbox().write(new byte[limit + 1]), "blob v1", "1048577", "1048576");
    fixture.inbox().write(new byte[limit]);
  }

  @Test
  @DisplayName("payload over a limit of one's own")
  void payloadOverOwnLimit() {
    fixture.settings(builder -> builder.maximumPayload(3)).writeOnly();

    refused(() -> fixture.write("four"), "4 bytes", "at most 3", "maximumPayload");
    fixture.write("foo");
  }

  @Test
  @DisplayName("null payload")
  void nullPayload() {
    fixture.writeOnly();

    refused(() -> fixture.inbox().write(null), "'notes'", "null");
    refused(() -> fixture.inbox().writeAll(Collections.singletonList(null)), "'notes'", "null");
  }

  @Test
  @DisplayName("a payload that the codec cannot encode")
  void unencodable() {
    fixture.settings(builder -> builder.contract(Integer.class, "number", 1)).writeOnly();

    refused(() -> fixture.inbox().write(42), "java.lang.Integer", "JacksonCodec");
  }

  @Test
  @DisplayName("non-positive options: all violations reported at once")
  void nonPositiveOptions() {
    assertThatExceptionOfType(InvalidOptionsException.class)
        .isThrownBy(
            () ->
                fixture
                    .options(
                        options ->
                            options
                                .readBatch(0)
                                .writeBatch(-1)
                                .concurrency(0)
                                .lease(Duration.ZERO)
                                .poll(Duration.ofSeconds(2), Duration.ofSeconds(1))
                                .crashes(0, Backoff.fixed(Duration.ofSeconds(1)))
                                .shutdownGrace(Duration.ofSeconds(-1)))
                    .writeOnly())
        .withMessageContainingAll(
            "readBatch is 0",
            "writeBatch is -1",
            "concurrency is 0",
            "lease is PT0S",
            "maximum poll is PT1S",
            "crash limit is 0",
            "shutdownGrace is PT-1S")
        .satisfies(error -> assertThat(error.violations()).hasSize(7));
  }

  @Test
  @DisplayName("non-positive lifetime, negative delay and non-positive payload limit")
  void otherNonPositives() {
    refused(() -> WriteOptions.builder().lifetime(Duration.ZERO), "lifetime is PT0S", "positive");
    refused(
        () -> WriteOptions.builder().delay(Duration.ofSeconds(-1)), "delay is PT-1S", "negative");
    refused(() -> Mailroom.builder().maximumPayload(0).build(), "maximumPayload is 0");
  }

  @Test
  @DisplayName("two handlers for one contract in a single inbox")
  void twoHandlers() {
    refused(
        () ->
            fixture.inbox(
                inbox ->
                    inbox
                        .handler(String.class, delivery -> Result.success())
                        .handler(String.class, delivery -> Result.fail("no"))),
        "'notes'",
        "two handlers",
        "note v1");
  }

  @Test
  @DisplayName("single and batch handlers mixed")
  void mixedHandlers() {
    Consumer<InboxBuilder> mixed =
        inbox ->
            inbox
                .handler(String.class, delivery -> Result.success())
                .batchHandler(byte[].class, batch -> batch.allSucceeded());

    refused(() -> fixture.inbox(mixed), "'notes'", "single and batch");
  }

  @Test
  @DisplayName("two inboxes with one name; blank and over-long names")
  void inboxNames() {
    refused(() -> Mailroom.builder().inbox("a", inbox -> {}).inbox("a", inbox -> {}), "two", "'a'");
    refused(() -> Mailroom.builder().inbox(" ", inbox -> {}), "inbox name", "blank");
    refused(() -> Mailroom.builder().inbox(LONG, inbox -> {}), "inbox name", "257");
  }

  @Test
  @DisplayName("no store")
  void noStore() {
    refused(
        () -> Mailroom.builder().inbox("a", inbox -> {}).inbox("b", inbox -> {}).build(),
        "'a'",
        "'b'",
        "store(");
  }

  @Test
  @DisplayName("strict conflict")
  void strictConflict() {
    fixture.writeOnly();
    WriteOptions strict = WriteOptions.builder().deduplicationKey("k").strict().build();
    fixture.write("a", strict);

    refused(() -> fixture.write("b", strict), "repeats the key", "new key");
    assertThatExceptionOfType(ConflictingDuplicateException.class)
        .isThrownBy(() -> fixture.write("b", strict));
  }

  @Test
  @DisplayName("too many messages in one batch")
  void tooManyMessages() {
    fixture.writeOnly();

    refused(() -> fixture.inbox().writeAll(Collections.nCopies(10_001, "a")), "10001", "10000");
  }

  @Test
  @DisplayName("headers over the limit")
  void headers() {
    fixture.writeOnly();
    WriteOptions.Builder many = WriteOptions.builder();
    for (int i = 0; i < 64; i++) {
      many.header("h" + i, "v");
    }
    fixture.write("the most", many.build());

    refusedOption(many.header("one more", "v").build(), "65 headers", "64");
    refusedOption(
        WriteOptions.builder().header("h", "x".repeat(4_097)).build(), "'h'", "4097", "4096");
    refusedOption(WriteOptions.builder().header(LONG, "v").build(), "header name", "257");
    refusedOption(WriteOptions.builder().header(" ", "v").build(), "header name", "blank");
  }

  @Test
  @DisplayName("contracts: blank name, version below 1, a different registration")
  void contracts() {
    refused(() -> Mailroom.builder().contract(String.class, " ", 1), "contract name", "blank");
    refused(() -> Mailroom.builder().contract(String.class, "a", 0), "'a'", "0", "at least 1");
    refused(
        () -> Mailroom.builder().contract(String.class, "a", 1).contract(String.class, "b", 1),
        "java.lang.String",
        "a v1",
        "b v1");
    refused(
        () -> Mailroom.builder().contract(String.class, "a", 1).contract(Map.Entry[].class, "c", 1),
        "Map$Entry");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Mailroom.builder().contract(String.class, "a", 1).contract(Integer.class, "a", 1))
        .withMessageContainingAll("a v1", "java.lang.String", "java.lang.Integer");
  }

  @Test
  @DisplayName("an exception tells messages from options")
  void kindsOfErrors() {
    fixture.writeOnly();

    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> fixture.write("a", options -> options.groupKey(LONG)));
  }
}
