package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes {@link Timeouts}. */
public final class TimeoutsBuilder {
  /** The name of their channel unless another one is given: {@value}. */
  public static final String DEFAULT_NAME = "timeouts";

  /** How long a lease lasts unless it is extended: five minutes. */
  public static final Duration DEFAULT_LEASE = Duration.ofMinutes(5);

  /** How often the store is polled for timeouts of other processes: one second. */
  public static final Duration DEFAULT_POLL = Duration.ofSeconds(1);

  /** How often expired leases are reclaimed within the time of one lease: {@value} times. */
  public static final int RECLAIMS_PER_LEASE = 4;

  private final Map<String, TimeoutDestination> destinations = new LinkedHashMap<>();
  private final Map<String, String> inboxes = new LinkedHashMap<>();
  private final Set<String> remote = new LinkedHashSet<>();
  private final Violations violations = new Violations("Timeouts");
  private String name = DEFAULT_NAME;
  private @Nullable Store store;
  private InboxOptions options = defaults().build();
  private boolean weakDurability;

  TimeoutsBuilder() {}

  /** The name of their channel. Default: {@value #DEFAULT_NAME}. */
  public TimeoutsBuilder name(String value) {
    name = Limits.requireName("timeouts' name", value);
    return this;
  }

  /** A destination in this process. */
  public TimeoutsBuilder destination(String to, TimeoutDestination value) {
    requireNew(to);
    destinations.put(to, value);
    return this;
  }

  /**
   * The payloads of timeouts to this name are written to an inbox of the same mailroom: with its
   * own keys, the timeout's correlation id, and the timeout's headers as text. The channel of a
   * command schedule is an inbox, too.
   */
  public TimeoutsBuilder inbox(String to, String inbox) {
    requireNew(to);
    inboxes.put(to, Limits.requireName("inbox name", inbox));
    return this;
  }

  /** Destinations that another process serves: this process only requests timeouts for them. */
  public TimeoutsBuilder remoteDestinations(String... names) {
    for (String each : names) {
      requireNew(each);
      remote.add(each);
    }
    return this;
  }

  private void requireNew(String to) {
    Limits.requireName("timeout's destination", to);
    violations.check(
        !destinations.containsKey(to) && !inboxes.containsKey(to) && !remote.contains(to),
        "destination",
        to,
        "was given before");
  }

  /**
   * How they are dispatched: batch size, lease, retries, concurrency and more. Other than an
   * inbox's are the defaults of the lease ({@link #DEFAULT_LEASE}, reclaimed at a quarter of it),
   * of the poll ({@link #DEFAULT_POLL}, also in the long run) and of the deduplication window
   * (zero: a key names a timeout, and the next one with that key replaces it).
   */
  public TimeoutsBuilder options(Consumer<InboxOptionsBuilder> change) {
    InboxOptionsBuilder builder = options.toBuilder();
    change.accept(builder);
    options = builder.build();
    return this;
  }

  /** A store of their own. Default: the mailroom's. */
  public TimeoutsBuilder store(Store value) {
    store = value;
    return this;
  }

  /**
   * Accepts a store that may lose what it has acknowledged, such as one in memory. Default: refused
   * when the mailroom is built.
   */
  public TimeoutsBuilder acceptWeakDurability() {
    weakDurability = true;
    return this;
  }

  /**
   * The timeouts, to be added to a mailroom.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Timeouts build() {
    violations.check(
        !(destinations.isEmpty() && inboxes.isEmpty() && remote.isEmpty()),
        "destinations",
        "[]",
        "name at least one");
    violations.check(
        options.ordering() == Ordering.NONE,
        "ordering",
        options.ordering(),
        "must be NONE: a failing timeout delays no other");
    violations.raise();
    return new Timeouts(
        new Description(
            name,
            Map.copyOf(destinations),
            Map.copyOf(inboxes),
            Set.copyOf(remote),
            withReclaim(options),
            store,
            weakDurability));
  }

  private static InboxOptionsBuilder defaults() {
    return InboxOptions.builder()
        .lease(DEFAULT_LEASE)
        .poll(DEFAULT_POLL, DEFAULT_POLL)
        .deduplicationWindow(Duration.ZERO);
  }

  /** Reclaims expired leases at a quarter of the lease, unless another interval is set. */
  private static InboxOptions withReclaim(InboxOptions given) {
    InboxOptions.Leasing leasing = given.leasing();
    if (leasing.reclaim() != null) {
      return given;
    }
    return new InboxOptions(
        given.ordering(),
        given.reading(),
        given.writing(),
        new InboxOptions.Leasing(
            leasing.duration(),
            leasing.extended(),
            leasing.threshold(),
            leasing.duration().dividedBy(RECLAIMS_PER_LEASE),
            leasing.worker()),
        given.handling(),
        given.policy(),
        given.cleanUp());
  }

  /**
   * What was described.
   *
   * @param name their channel's name
   * @param own destinations that are code in this process
   * @param inboxes destinations that are inboxes: the inbox of each name
   * @param remote destinations that other processes serve
   * @param options their channel's options
   * @param store a store of their own; null means the mailroom's
   * @param weakDurability whether a store that may lose them is accepted
   */
  record Description(
      String name,
      Map<String, TimeoutDestination> own,
      Map<String, String> inboxes,
      Set<String> remote,
      InboxOptions options,
      @Nullable Store store,
      boolean weakDurability) {

    /** The destinations that this process serves, by name. */
    Map<String, TimeoutDestination> destinations(Function<String, TimeoutDestination> toInbox) {
      Map<String, TimeoutDestination> all = new HashMap<>(own);
      inboxes.forEach((to, inbox) -> all.put(to, toInbox.apply(inbox)));
      return all;
    }
  }
}
