package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Message;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is true of the simulated store, and the checkers that watch it. */
final class Model {
  final SimulationOptions options;
  final Tuning tuning;
  final EventLog log = new EventLog();
  final List<Checker> checkers;
  private final ManualTime time;
  private final Map<UUID, SimulatedMessage> messages = new LinkedHashMap<>();
  private final Map<String, List<SimulatedMessage>> groups = new LinkedHashMap<>();
  private final Map<UUID, SimulatedLease> leases = new LinkedHashMap<>();
  private final List<SimulatedLease> open = new ArrayList<>();
  private final IdentityHashMap<Message, Holding> handedOut = new IdentityHashMap<>();
  private @Nullable SimulationFailure failure;
  private long moments;
  private long changes;

  Model(SimulationOptions options, Tuning tuning, ManualTime time) {
    this.options = options;
    this.tuning = tuning;
    this.time = time;
    this.checkers =
        List.of(
            new OneHolder(this),
            new NothingLost(this),
            new GroupOrder(this),
            new BoundedAttempts(this),
            new OnceByKey(this),
            new InTime(this));
  }

  /** The simulated time that has passed, in nanoseconds. */
  long now() {
    return time.nanos();
  }

  long after(Duration duration) {
    return time.nanos() + duration.toNanos();
  }

  /** A new moment, later than all before. */
  long moment() {
    return ++moments;
  }

  /** Something has changed in the store. */
  void changed() {
    changes++;
  }

  long changes() {
    return changes;
  }

  void note(String event) {
    log.add(now(), event);
  }

  /** The first failure is kept: the engine survives what handlers and stores throw. */
  SimulationFailure failure(Invariant invariant, String what, @Nullable Throwable cause) {
    if (failure == null) {
      failure = new SimulationFailure(options, invariant, what, log, cause);
    }
    return failure;
  }

  /** Throws what somebody may have swallowed. */
  void requireSound() {
    if (failure != null) {
      throw failure;
    }
  }

  void add(SimulatedMessage message) {
    messages.put(message.id, message);
    String group = groupOf(message);
    if (group != null) {
      groups.computeIfAbsent(group, key -> new ArrayList<>()).add(message);
    }
  }

  Iterable<SimulatedMessage> messages() {
    return messages.values();
  }

  SimulatedMessage message(UUID id) {
    SimulatedMessage message = messages.get(id);
    if (message == null) {
      throw failure(Invariant.NOTHING_LOST, "a message appeared that nobody wrote: " + id, null);
    }
    return message;
  }

  /** The group in which it is ordered, or null. */
  @Nullable String groupOf(SimulatedMessage message) {
    return options.ordering() == Ordering.NONE ? null : message.routing.groupKey();
  }

  /** All that ever belonged to the message's group. */
  List<SimulatedMessage> companions(SimulatedMessage message) {
    String group = groupOf(message);
    return group == null ? List.of() : groups.getOrDefault(group, List.of());
  }

  /** Whether dead messages keep their place in their group, and nothing gets past them. */
  boolean parks() {
    return options.afterDeadLetter() == AfterDeadLetter.PARK && tuning.deadLetters();
  }

  void add(SimulatedLease lease) {
    leases.put(lease.token, lease);
    open.add(lease);
    lease.holdings.forEach(holding -> handedOut.put(holding.stored, holding));
  }

  int leaseCount() {
    return leases.size();
  }

  @Nullable SimulatedLease lease(UUID token) {
    return leases.get(token);
  }

  /** Those with messages that are still held. */
  List<SimulatedLease> openLeases() {
    open.removeIf(lease -> !lease.isOpen());
    return List.copyOf(open);
  }

  /** Under which lease a handler was given this. */
  Holding holding(Message stored) {
    Holding holding = handedOut.get(stored);
    if (holding == null) {
      throw failure(
          Invariant.ONE_HOLDER, "a handler was given what no claim had: " + stored.id(), null);
    }
    return holding;
  }
}
