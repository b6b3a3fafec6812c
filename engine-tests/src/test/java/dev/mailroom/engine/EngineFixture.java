package dev.mailroom.engine;

import dev.mailroom.BatchHandler;
import dev.mailroom.Handler;
import dev.mailroom.Inbox;
import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Progress;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import dev.mailroom.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A mailroom with one inbox of texts, and everything a test asks about it. The clock is manual
 * unless the fixture is {@linkplain #live live}, where the host's clock runs and the engine has its
 * threads.
 */
final class EngineFixture implements AutoCloseable {
  static final String INBOX = "notes";
  static final String NOTE = "note";
  static final String BLOB = "blob";
  static final Channel CHANNEL = new Channel(INBOX, Ordering.NONE, ChannelPolicy.defaults());
  static final Duration LEASE = Duration.ofMinutes(1);

  final ManualTime time = new ManualTime();
  final RecordingTelemetry telemetry = new RecordingTelemetry();
  final FailingStore failing;
  private final MemoryStore memory;
  private final boolean live;
  private Consumer<MailroomBuilder> settings = builder -> {};
  private Consumer<InboxOptionsBuilder> options = builder -> {};
  private ContextFacade facade = new ContextFacade();
  private Mailroom mailroom;

  private EngineFixture(boolean live) {
    this.live = live;
    this.memory = MemoryStore.builder().time(live ? TimeSource.system() : time).build();
    this.failing = new FailingStore(memory);
  }

  /** On manual time, to be driven by {@link #worker}s. */
  static EngineFixture manual() {
    return new EngineFixture(false);
  }

  /** On the host's time, to be started. */
  static EngineFixture live() {
    return new EngineFixture(true);
  }

  EngineFixture options(Consumer<InboxOptionsBuilder> change) {
    options = change;
    return this;
  }

  EngineFixture settings(Consumer<MailroomBuilder> change) {
    settings = change;
    return this;
  }

  EngineFixture handler(Handler<String> handler) {
    return inbox(inbox -> inbox.handler(String.class, handler));
  }

  EngineFixture batchHandler(BatchHandler<String> handler) {
    return inbox(inbox -> inbox.batchHandler(String.class, handler));
  }

  EngineFixture writeOnly() {
    return inbox(inbox -> {});
  }

  EngineFixture inbox(Consumer<InboxBuilder> description) {
    mailroom = node(description);
    return this;
  }

  /** Another mailroom over the same store, as in another process. */
  Mailroom node(Consumer<InboxBuilder> description) {
    facade = new ContextFacade();
    MailroomBuilder builder =
        Mailroom.builder()
            .add(facade)
            .store(failing.withCapabilities())
            .time(live ? TimeSource.system() : time)
            .telemetry(telemetry)
            .contract(String.class, NOTE, 1)
            .contract(byte[].class, BLOB, 1)
            .inbox(INBOX, inbox -> description.accept(inbox.options(options)));
    settings.accept(builder);
    return builder.build();
  }

  Mailroom mailroom() {
    return Objects.requireNonNull(mailroom, "give the fixture a handler first");
  }

  EngineFixture start() {
    mailroom().start();
    return this;
  }

  MemoryStore store() {
    return memory;
  }

  Inbox inbox() {
    return mailroom().inbox(INBOX);
  }

  /** The inbox as a facade sees it. */
  MessageChannel channel() {
    return facade.context().channel(INBOX);
  }

  /** What a facade sees of the mailroom. */
  FacadeContext context() {
    return facade.context();
  }

  /** A new worker, as in a process of its own. */
  ManualEngine worker() {
    return new ManualEngine(mailroom(), INBOX);
  }

  UUID write(String text) {
    return inbox().write(text).messageId();
  }

  UUID write(String text, WriteOptions own) {
    return inbox().write(text, own).messageId();
  }

  UUID write(String text, Consumer<WriteOptions.Builder> own) {
    return inbox().write(text, own).messageId();
  }

  UUID writeBlob(String text) {
    return inbox().write(text.getBytes(StandardCharsets.UTF_8)).messageId();
  }

  void writeAll(String... texts) {
    inbox().writeAll(List.of(texts));
  }

  /** Writes texts such as "a1", whose first letter is their group. */
  void writeGrouped(String... texts) {
    for (String text : texts) {
      write(text, options -> options.groupKey(text.substring(0, 1)));
    }
  }

  void pass(Duration duration) {
    time.advance(duration);
  }

  ChannelCounts counts() {
    return memory.counts(CHANNEL);
  }

  /** How many messages there are that are not dead. */
  long alive() {
    ChannelCounts counts = counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }

  boolean isGone(UUID id) {
    return memory.find(CHANNEL, Target.id(id)) == null;
  }

  MessageState state(UUID id) {
    return found(id).state();
  }

  Progress progress(UUID id) {
    return found(id).message().progress();
  }

  /** How long until a waiting message is visible. */
  Duration delay(UUID id) {
    return Duration.between(time.now(), found(id).message().timing().visibleAt());
  }

  private InspectedMessage found(UUID id) {
    return Objects.requireNonNull(
        memory.find(CHANNEL, Target.id(id)), "the store does not hold it");
  }

  List<DeadLetter> deadLetters() {
    return inbox().deadLetters().list(DeadLetterFilter.all(), 1_000).letters();
  }

  /** The only dead letter. */
  DeadLetter deadLetter() {
    List<DeadLetter> letters = deadLetters();
    if (letters.size() != 1) {
      throw new AssertionError("expected one dead letter, not " + letters);
    }
    return letters.get(0);
  }

  @Override
  public void close() {
    if (mailroom != null) {
      mailroom.close();
    }
  }
}
