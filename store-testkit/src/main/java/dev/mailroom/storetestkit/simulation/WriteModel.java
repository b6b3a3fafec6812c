package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.State;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Updates the model after appends, commits, rollbacks, cancels and reschedules. */
final class WriteModel {
  private final StoreModel model;
  private final Map<String, UsedDeduplicationKey> keys = new HashMap<>();
  private final IdentityHashMap<Transaction, List<SimulatedMessage>> staged =
      new IdentityHashMap<>();

  WriteModel(StoreModel model) {
    this.model = model;
  }

  void appended(
      List<NewMessage> messages,
      List<AppendResult> results,
      @Nullable Transaction transaction,
      long called) {
    Found found = found(messages, results);
    for (int i = 0; i < messages.size(); i++) {
      SimulatedMessage message = model.message(messages.get(i).id());
      AppendResult result = results.get(i);
      String key = message.routing.deduplicationKey();
      UsedDeduplicationKey taken = key == null ? null : keys.get(key);
      model.note("append " + message + (result.accepted() ? "" : ": duplicate"));
      model.checkers.forEach(checker -> checker.appended(message, taken, result));
      if (result.accepted()) {
        accept(message, taken, called);
        if (transaction == null) {
          publish(message, found);
        } else {
          message.state = State.STAGED;
          staged.computeIfAbsent(transaction, none -> new ArrayList<>()).add(message);
        }
      }
    }
    model.changed();
  }

  private void accept(SimulatedMessage message, @Nullable UsedDeduplicationKey taken, long called) {
    long now = model.now();
    message.reset(now);
    boolean scheduled = !message.delay.isZero();
    message.notBefore = model.after(message.delay);
    message.position =
        GroupPosition.pending(called, scheduled ? message.notBefore : GroupPosition.IMMEDIATE);
    Duration lifetime = message.lifetime;
    message.mayExpireAt = lifetime == null ? SimulatedMessage.NEVER : model.after(lifetime);
    message.mustExpireAt = message.mayExpireAt;
    String key = message.routing.deduplicationKey();
    if (key != null) {
      keys.put(key, new UsedDeduplicationKey(message, taken, windowEnd(), windowEnd()));
    }
  }

  private long windowEnd() {
    Duration window = model.seeded.window();
    return window == null ? SimulatedMessage.NEVER : model.after(window);
  }

  /**
   * The messages that an append reported as duplicates: {@code own} are messages of the same call,
   * which it must not replace, or they would be lost; {@code others} have one of its keys, and it
   * may replace them.
   */
  private record Found(Set<SimulatedMessage> own, Set<SimulatedMessage> others) {}

  private Found found(List<NewMessage> messages, List<AppendResult> results) {
    Found found = new Found(new HashSet<>(), new HashSet<>());
    for (int i = 0; i < messages.size(); i++) {
      AppendResult result = results.get(i);
      if (!result.accepted()) {
        boolean own = result.id().equals(messages.get(i).id());
        (own ? found.own : found.others).add(model.message(result.id()));
      }
    }
    return found;
  }

  /**
   * Makes the message visible and collapses the messages it replaces.
   *
   * @param found null at a commit: a transaction may replace what it sees when it writes, or what
   *     it sees when it commits
   */
  private void publish(SimulatedMessage message, @Nullable Found found) {
    String collapse = message.routing.collapseKey();
    if (collapse != null) {
      for (SimulatedMessage older : model.messages()) {
        if (older.isUnleased() && collapse.equals(older.routing.collapseKey())) {
          collapse(older, found);
        }
      }
    }
    message.state = State.LIVE;
    if (!message.position.isScheduled()) {
      message.position = message.position.assigned(model.moment(), model.now());
    }
  }

  /**
   * An append does not wait for an open transaction: it skips messages that the transaction has
   * replaced, and they stay if that rolls back.
   */
  private void collapse(SimulatedMessage older, @Nullable Found found) {
    if (found == null || found.others.contains(older) || isPerhapsReplaced(older)) {
      older.perhapsCollapsed = true;
      model.note(older + " may be collapsed");
    } else if (!found.own.contains(older)) {
      older.state = State.COLLAPSED;
      model.note(older + " is collapsed");
    }
  }

  /** Returns the messages that the transaction appended. */
  List<SimulatedMessage> committed(Transaction transaction) {
    List<SimulatedMessage> messages = ended(transaction);
    for (SimulatedMessage message : messages) {
      model.note("commit " + message);
      if (message.lifetime != null) {
        message.mustExpireAt = model.after(message.lifetime);
      }
      UsedDeduplicationKey own = keyOf(message);
      if (own != null) {
        own.lastEnd = windowEnd();
      }
      publish(message, null);
    }
    model.changed();
    return messages;
  }

  void rolledBack(Transaction transaction) {
    List<SimulatedMessage> messages = ended(transaction);
    for (int i = messages.size() - 1; i >= 0; i--) {
      SimulatedMessage message = messages.get(i);
      model.note("roll back " + message);
      message.state = State.UNWRITTEN;
      restoreKey(message);
    }
  }

  /**
   * Whether an open transaction may have replaced this message: another change of it would wait for
   * that transaction, forever on a single thread.
   */
  boolean isPerhapsReplaced(SimulatedMessage message) {
    String collapse = message.routing.collapseKey();
    return collapse != null
        && staged.values().stream()
            .flatMap(List::stream)
            .anyMatch(newer -> collapse.equals(newer.routing.collapseKey()));
  }

  private List<SimulatedMessage> ended(Transaction transaction) {
    List<SimulatedMessage> messages = staged.remove(transaction);
    return messages == null ? List.of() : messages;
  }

  private @Nullable UsedDeduplicationKey keyOf(SimulatedMessage message) {
    String key = message.routing.deduplicationKey();
    UsedDeduplicationKey used = key == null ? null : keys.get(key);
    return used != null && used.message == message ? used : null;
  }

  /** Restores the previous use of the key. */
  private void restoreKey(SimulatedMessage message) {
    UsedDeduplicationKey own = keyOf(message);
    String key = message.routing.deduplicationKey();
    if (own == null || key == null) {
      return;
    }
    if (own.former == null) {
      keys.remove(key);
    } else {
      keys.put(key, own.former);
    }
  }

  void cancelled(SimulatedMessage message, boolean done) {
    model.note("cancel " + message + ": " + done);
    requireNotLeased(message, done, "cancelled");
    if (done) {
      message.state = State.CANCELLED;
      if (keyOf(message) != null) {
        keys.remove(message.routing.deduplicationKey());
      }
      model.changed();
    }
  }

  void rescheduled(SimulatedMessage message, Duration delay, boolean done) {
    model.note("reschedule " + message + " by " + delay + ": " + done);
    requireNotLeased(message, done, "rescheduled");
    if (done) {
      message.perhapsCollapsed = false;
      message.notBefore = model.after(delay);
      message.position = GroupPosition.pending(model.moment(), message.notBefore);
      model.changed();
    }
  }

  private void requireNotLeased(SimulatedMessage message, boolean done, String how) {
    boolean expected = message.isUnleased();
    if (done != expected && !(expected && message.perhapsCollapsed)) {
      String was = message + (done ? " was " : " was not ") + how;
      String is = " although it is " + message.state + ", held as " + message.leased;
      throw model.failure(Invariant.NO_MESSAGE_LOST, was + is, null);
    }
  }
}
