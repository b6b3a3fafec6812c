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

/** The expected state of the simulated store, and the invariant checkers. */
final class StoreModel {
  final SimulationOptions options;
  final SeededInboxOptions seeded;
  final EventLog log = new EventLog();
  final List<InvariantChecker> checkers;
  private final ManualTime time;
  private final Map<UUID, SimulatedMessage> messages = new LinkedHashMap<>();
  private final Map<String, List<SimulatedMessage>> groups = new LinkedHashMap<>();
  private final Map<UUID, SimulatedLease> leases = new LinkedHashMap<>();
  private final List<SimulatedLease> open = new ArrayList<>();
  private final IdentityHashMap<Message, LeasedMessage> handedOut = new IdentityHashMap<>();
  private @Nullable SimulationFailure failure;
  private long moments;
  private long changes;

  StoreModel(SimulationOptions options, SeededInboxOptions seeded, ManualTime time) {
    this.options = options;
    this.seeded = seeded;
    this.time = time;
    this.checkers =
        List.of(
            new OneLeaseHolder(this),
            new NoMessageLost(this),
            new GroupOrder(this),
            new BoundedAttempts(this),
            new NoDuplicateKey(this),
            new DueAndNotExpired(this));
  }

  /** The simulated time that has passed, in nanoseconds. */
  long now() {
    return time.nanos();
  }

  long after(Duration duration) {
    return time.nanos() + duration.toNanos();
  }

  /** The next number of the logical clock. */
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

  /** Throws the first failure, which a caller may have caught. */
  void throwIfFailed() {
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
      throw failure(
          Invariant.NO_MESSAGE_LOST, "a message appeared that was never written: " + id, null);
    }
    return message;
  }

  /** The group in which it is ordered, or null. */
  @Nullable String groupOf(SimulatedMessage message) {
    return options.ordering() == Ordering.NONE ? null : message.routing.groupKey();
  }

  /** All messages ever written to the message's group. */
  List<SimulatedMessage> groupMembers(SimulatedMessage message) {
    String group = groupOf(message);
    return group == null ? List.of() : groups.getOrDefault(group, List.of());
  }

  /** Whether a dead message parks its group: later messages wait for it. */
  boolean parksGroups() {
    return options.afterDeadLetter() == AfterDeadLetter.PARK && seeded.deadLetters();
  }

  void add(SimulatedLease lease) {
    leases.put(lease.token, lease);
    open.add(lease);
    lease.messages.forEach(leased -> handedOut.put(leased.stored, leased));
  }

  int leaseCount() {
    return leases.size();
  }

  @Nullable SimulatedLease lease(UUID token) {
    return leases.get(token);
  }

  /** The leases that still hold messages. */
  List<SimulatedLease> openLeases() {
    open.removeIf(lease -> !lease.isOpen());
    return List.copyOf(open);
  }

  /** The lease under which a handler got this message. */
  LeasedMessage leased(Message stored) {
    LeasedMessage leased = handedOut.get(stored);
    if (leased == null) {
      throw failure(
          Invariant.ONE_LEASE_HOLDER,
          "a handler got a message that no claim returned: " + stored.id(),
          null);
    }
    return leased;
  }
}
