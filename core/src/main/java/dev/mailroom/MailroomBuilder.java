package dev.mailroom;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.internal.SharedRandom;
import dev.mailroom.internal.inbox.ReflectiveHandlerResolver;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Defaults;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.HandlerResolver;
import dev.mailroom.spi.PayloadCodec;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.time.TimeSource;
import dev.mailroom.transactions.CurrentTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Describes a mailroom: its store, codec, contracts and inboxes. */
public final class MailroomBuilder {
  private final Contracts contracts = new Contracts();
  private final List<PayloadCodec> codecs = new ArrayList<>();
  private final Map<String, InboxBuilder> inboxes = new LinkedHashMap<>();
  private final List<LifecycleHook> hooks = new ArrayList<>();
  private final List<Facade> facades = new ArrayList<>();
  private @Nullable Store store;
  private HandlerResolver resolver = ReflectiveHandlerResolver.INSTANCE;
  private Telemetry telemetry = Telemetry.NOOP;
  private TimeSource time = TimeSource.system();
  private RandomGenerator random = SharedRandom.INSTANCE;
  private StorageRetry storageRetry = StorageRetry.defaults();
  private CurrentTransaction currentTransaction = () -> null;
  private boolean cleanUp = true;
  private int maximumPayload = Defaults.PAYLOAD_BYTES;

  MailroomBuilder() {}

  /** Where messages live, unless an inbox has a store of its own. */
  public MailroomBuilder store(Store value) {
    store = Objects.requireNonNull(value, "store");
    return this;
  }

  /**
   * How payloads are encoded. The first one given writes; each reads what has its content type.
   * Default: {@link RawCodec}.
   */
  public MailroomBuilder codec(PayloadCodec value) {
    codecs.add(Objects.requireNonNull(value, "codec"));
    return this;
  }

  /** Registers a payload type under a name and version. */
  public MailroomBuilder contract(Class<?> type, String name, int version) {
    contracts.register(type, name, version);
    return this;
  }

  /** Registers generic types, annotated types and upgraders. */
  public MailroomBuilder contracts(Consumer<Contracts> registrations) {
    registrations.accept(contracts);
    return this;
  }

  /** Adds an inbox. Without handlers it is write-only in this process. */
  public MailroomBuilder inbox(String name, Consumer<InboxBuilder> description) {
    Limits.requireName("inbox name", name);
    if (inboxes.containsKey(name)) {
      throw new IllegalArgumentException(
          "There are two inboxes named '" + name + "': names are unique.");
    }
    InboxBuilder inbox = new InboxBuilder(name);
    description.accept(inbox);
    inboxes.put(name, inbox);
    return this;
  }

  /**
   * Adds a pattern that stands on an inbox of its own, such as an outbox.
   *
   * @throws IllegalArgumentException if it was added before
   */
  public MailroomBuilder add(Facade facade) {
    if (facades.contains(facade)) {
      throw new IllegalArgumentException(
          facade + " was added to this mailroom before: once is enough.");
    }
    facade.describe(this);
    facades.add(facade);
    return this;
  }

  /** Called around the engine's life, in the order given; after stop in reverse order. */
  public MailroomBuilder hook(LifecycleHook value) {
    hooks.add(Objects.requireNonNull(value, "hook"));
    return this;
  }

  /** Supplies handlers registered by class. Default: their constructor without parameters. */
  public MailroomBuilder resolver(HandlerResolver value) {
    resolver = Objects.requireNonNull(value, "resolver");
    return this;
  }

  /** The metrics and tracing bridge. Default: {@link Telemetry#NOOP}. */
  public MailroomBuilder telemetry(Telemetry value) {
    telemetry = Objects.requireNonNull(value, "telemetry");
    return this;
  }

  /** The clocks. Default: the host's. */
  public MailroomBuilder time(TimeSource value) {
    time = Objects.requireNonNull(value, "time");
    return this;
  }

  /** Randomness for message ids and jitter; thread-safe. Not for secrets. */
  public MailroomBuilder random(RandomGenerator value) {
    random = Objects.requireNonNull(value, "random");
    return this;
  }

  /** How writes are retried: {@code storageRetry(retry -> retry.retries(5))}. */
  public MailroomBuilder storageRetry(Consumer<StorageRetry.Builder> settings) {
    return storageRetry(StorageRetry.of(settings));
  }

  /**
   * How writes are retried when the store fails for a moment. Default: {@link
   * StorageRetry#defaults}.
   */
  public MailroomBuilder storageRetry(StorageRetry value) {
    storageRetry = Objects.requireNonNull(value, "storageRetry");
    return this;
  }

  /** Finds the calling thread's transaction: writes that name none join it. Default: none. */
  public MailroomBuilder currentTransaction(CurrentTransaction value) {
    currentTransaction = Objects.requireNonNull(value, "currentTransaction");
    return this;
  }

  /** Whether clean-up runs in this process's engine. Default: yes. */
  public MailroomBuilder cleanUp(boolean value) {
    cleanUp = value;
    return this;
  }

  /** The largest payload, in bytes. Default: 1 MiB. */
  public MailroomBuilder maximumPayload(int bytes) {
    maximumPayload = bytes;
    return this;
  }

  /**
   * The mailroom; nothing runs yet.
   *
   * @throws InvalidOptionsException naming every violation
   * @throws dev.mailroom.errors.MailroomException if a handler class cannot be created, or a
   *     payload type cannot be decoded
   */
  public Mailroom build() {
    Violations violations = new Violations("Mailroom");
    violations.positive("maximumPayload", maximumPayload);
    for (InboxBuilder inbox : inboxes.values()) {
      violations.check(
          store != null || inbox.store() != null,
          "store of inbox '" + inbox.name() + "'",
          null,
          "set Mailroom.builder().store(…), or one for this inbox");
    }
    violations.raise();
    if (codecs.isEmpty()) {
      codecs.add(new RawCodec());
    }
    Mailroom mailroom = new Assembly(this).assemble();
    FacadeContext context = mailroom.facadeContext();
    facades.forEach(facade -> facade.opened(context));
    return mailroom;
  }

  Contracts contracts() {
    return contracts;
  }

  List<PayloadCodec> codecs() {
    return codecs;
  }

  Iterable<InboxBuilder> inboxes() {
    return inboxes.values();
  }

  List<LifecycleHook> hooks() {
    return hooks;
  }

  Store storeOf(InboxBuilder inbox) {
    return Objects.requireNonNull(inbox.store() == null ? store : inbox.store(), "store");
  }

  HandlerResolver resolver() {
    return resolver;
  }

  Telemetry telemetry() {
    return telemetry;
  }

  TimeSource time() {
    return time;
  }

  RandomGenerator random() {
    return random;
  }

  StorageRetry storageRetry() {
    return storageRetry;
  }

  CurrentTransaction currentTransaction() {
    return currentTransaction;
  }

  boolean cleanUp() {
    return cleanUp;
  }

  int maximumPayload() {
    return maximumPayload;
  }
}
