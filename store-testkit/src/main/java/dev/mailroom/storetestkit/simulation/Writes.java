package dev.mailroom.storetestkit.simulation;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.Fate;
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

/** What the model makes of writes: accepted, duplicate, staged, committed, moved, cancelled. */
final class Writes {
  private final Model model;
  private final Map<String, UsedKey> keys = new HashMap<>();
  private final IdentityHashMap<Transaction, List<SimulatedMessage>> staged =
      new IdentityHashMap<>();

  Writes(Model model) {
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
      UsedKey taken = key == null ? null : keys.get(key);
      model.note("append " + message + (result.accepted() ? "" : ": duplicate"));
      model.checkers.forEach(checker -> checker.appended(message, taken, result));
      if (result.accepted()) {
        accept(message, taken, called);
        if (transaction == null) {
          publish(message, found);
        } else {
          message.fate = Fate.STAGED;
          staged.computeIfAbsent(transaction, none -> new ArrayList<>()).add(message);
        }
      }
    }
    model.changed();
  }

  private void accept(SimulatedMessage message, @Nullable UsedKey taken, long called) {
    long now = model.now();
    message.begin(now);
    boolean scheduled = !message.delay.isZero();
    message.notBefore = model.after(message.delay);
    message.place = Place.open(called, scheduled ? message.notBefore : Place.AT_ONCE);
    Duration lifetime = message.lifetime;
    message.mayExpireAt = lifetime == null ? SimulatedMessage.NEVER : model.after(lifetime);
    message.mustExpireAt = message.mayExpireAt;
    String key = message.routing.deduplicationKey();
    if (key != null) {
      keys.put(key, new UsedKey(message, taken, windowEnd(), windowEnd()));
    }
  }

  private long windowEnd() {
    Duration window = model.tuning.window();
    return window == null ? SimulatedMessage.NEVER : model.after(window);
  }

  /**
   * What a call has said is there already: the messages that it wrote again, which it must not
   * replace, or they would be lost; and others that have one of its keys, which it may replace.
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
   * The message is there for all to see, and those it replaces are not.
   *
   * @param found null at a commit: a transaction may replace what it sees when it writes, or what
   *     it sees when it commits
   */
  private void publish(SimulatedMessage message, @Nullable Found found) {
    String collapse = message.routing.collapseKey();
    if (collapse != null) {
      for (SimulatedMessage older : model.messages()) {
        if (older.isFree() && collapse.equals(older.routing.collapseKey())) {
          collapse(older, found);
        }
      }
    }
    message.fate = Fate.LIVE;
    if (!message.place.isScheduled()) {
      message.place = message.place.taken(model.moment(), model.now());
    }
  }

  /**
   * Nobody waits for an open transaction: what that has replaced is passed over, and stays if it is
   * rolled back.
   */
  private void collapse(SimulatedMessage older, @Nullable Found found) {
    if (found == null || found.others.contains(older) || isPerhapsReplaced(older)) {
      older.perhapsCollapsed = true;
      model.note(older + " may be collapsed");
    } else if (!found.own.contains(older)) {
      older.fate = Fate.COLLAPSED;
      model.note(older + " is collapsed");
    }
  }

  /** Answers with what was accepted in the transaction. */
  List<SimulatedMessage> committed(Transaction transaction) {
    List<SimulatedMessage> messages = ended(transaction);
    for (SimulatedMessage message : messages) {
      model.note("commit " + message);
      if (message.lifetime != null) {
        message.mustExpireAt = model.after(message.lifetime);
      }
      UsedKey own = keyOf(message);
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
      message.fate = Fate.UNWRITTEN;
      giveBackKey(message);
    }
  }

  /**
   * Whether a transaction that is still open has perhaps replaced this message: whoever else wanted
   * to change it would wait for the end of that, on one thread for ever.
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

  private @Nullable UsedKey keyOf(SimulatedMessage message) {
    String key = message.routing.deduplicationKey();
    UsedKey used = key == null ? null : keys.get(key);
    return used != null && used.message == message ? used : null;
  }

  /** What was known of the key before is true again. */
  private void giveBackKey(SimulatedMessage message) {
    UsedKey own = keyOf(message);
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
    requireFree(message, done, "cancelled");
    if (done) {
      message.fate = Fate.CANCELLED;
      if (keyOf(message) != null) {
        keys.remove(message.routing.deduplicationKey());
      }
      model.changed();
    }
  }

  void moved(SimulatedMessage message, Duration delay, boolean done) {
    model.note("move " + message + " by " + delay + ": " + done);
    requireFree(message, done, "moved");
    if (done) {
      message.perhapsCollapsed = false;
      message.notBefore = model.after(delay);
      message.place = Place.open(model.moment(), message.notBefore);
      model.changed();
    }
  }

  private void requireFree(SimulatedMessage message, boolean done, String how) {
    boolean expected = message.isFree();
    if (done != expected && !(expected && message.perhapsCollapsed)) {
      String was = message + (done ? " was " : " was not ") + how;
      String is = " although it is " + message.fate + ", held as " + message.holding;
      throw model.failure(Invariant.NOTHING_LOST, was + is, null);
    }
  }
}
