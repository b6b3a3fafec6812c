package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.processes.ProcessEvent.Kind;
import dev.mailroom.processes.ProcessRecord.Pending;
import dev.mailroom.processes.ProcessRecord.Undo;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.StateChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Gathers what one step asks for, and makes one commit of it. */
final class Plan {
  /** In the header of a timeout's message: the name it was asked for under. */
  static final String TIMEOUT = "mailroom-timeout";

  private final Settings settings;
  private final Mailroom mailroom;
  private final Inbox own;
  private final Delivery<Payload> delivery;
  private final Map<String, List<Outgoing>> sent = new LinkedHashMap<>();
  private final Map<UUID, Outgoing> asked = new LinkedHashMap<>();
  private final List<UUID> cancelled = new ArrayList<>();
  private final Map<String, Pending> timeouts;
  private final List<Undo> undos;
  private final List<ProcessEvent> history;
  private ProcessStatus status = ProcessStatus.RUNNING;

  Plan(
      Settings settings,
      Mailroom mailroom,
      Delivery<Payload> delivery,
      @Nullable ProcessRecord before) {
    this.settings = settings;
    this.mailroom = mailroom;
    this.own = mailroom.inbox(settings.name());
    this.delivery = delivery;
    this.timeouts = new HashMap<>(before == null ? Map.of() : before.timeouts());
    this.undos = new ArrayList<>(before == null ? List.of() : before.undos());
    this.history = new ArrayList<>(before == null ? List.of() : before.history());
    String name = delivery.headers().get(TIMEOUT);
    if (name == null) {
      note(Kind.RECEIVED, delivery.message().contract().toString(), delivery.id());
    } else {
      timeouts.remove(name);
      note(Kind.TIMEOUT_FIRED, name, delivery.id());
    }
  }

  void send(AddressedMessage message) {
    requireOpen();
    Inbox target = requireSameStore(message.inbox());
    Outgoing outgoing = message.message();
    // Encoded now, so that what cannot be stored fails the step where it was asked for.
    Payload payload = target.encode(outgoing.payload(), outgoing.options());
    sent.computeIfAbsent(message.inbox(), inbox -> new ArrayList<>()).add(outgoing);
    note(Kind.SENT, payload.contract() + " to " + message.inbox(), null);
  }

  void timeout(String name, Instant due, Object message, WriteOptions options) {
    requireOpen();
    Limits.requireName("timeout name", name);
    settings.requireStep(message);
    // Encoded, because keys of the message's own would make the store drop it, or another's.
    Payload payload = own.encode(message);
    cancelTimeout(name);
    if (timeouts.size() >= Settings.MOST_TIMEOUTS) {
      throw new InvalidMessageException(
          this + " waits for " + timeouts.size() + " timeouts already, which is the most.");
    }
    UUID id = own.newMessageId();
    asked.put(id, new Outgoing(payload, options.messageId(id).header(TIMEOUT, name)));
    timeouts.put(name, new Pending(id, due));
    note(Kind.TIMEOUT_REQUESTED, name, id);
  }

  void cancelTimeout(String name) {
    Pending pending = timeouts.remove(name);
    if (pending != null) {
      if (asked.remove(pending.message()) == null) { // asked for in an earlier step
        cancelled.add(pending.message());
      }
      note(Kind.TIMEOUT_CANCELLED, name, pending.message());
    }
  }

  void undoWith(String inbox, Object command) {
    requireOpen();
    Inbox target = requireSameStore(inbox);
    if (target.ordering() == Ordering.NONE) {
      throw new InvalidMessageException(
          "Inbox '"
              + inbox
              + "' is not ordered, so undo commands of "
              + this
              + " could run in any order: give it Ordering.WHEN_KEYED.");
    }
    if (undos.size() >= Settings.MOST_UNDOS) {
      throw new InvalidMessageException(
          this + " has " + undos.size() + " undo commands already, which is the most.");
    }
    undos.add(new Undo(inbox, target.encode(command)));
  }

  void end(ProcessStatus how, String reason) {
    requireOpen();
    status = how;
    if (how == ProcessStatus.FAILED) {
      undo();
      note(Kind.FAILED, Limits.cut(reason, Limits.KEY_LENGTH), null);
    } else {
      note(Kind.COMPLETED, "", null);
    }
    new ArrayList<>(timeouts.keySet()).forEach(this::cancelTimeout);
    undos.clear();
  }

  private void undo() {
    String tenant = delivery.message().routing().tenant();
    for (int i = undos.size() - 1; i >= 0; i--) {
      Undo undo = undos.get(i);
      WriteOptions options =
          WriteOptions.builder()
              .groupKey(Limits.cut("undo " + settings.name() + " " + key(), Limits.KEY_LENGTH))
              .causationId(delivery.id().toString())
              .build();
      options = tenant == null ? options : options.tenant(tenant);
      sent.computeIfAbsent(undo.inbox(), inbox -> new ArrayList<>())
          .add(new Outgoing(undo.payload(), options));
      note(Kind.SENT, undo.payload().contract() + " to " + undo.inbox(), null);
    }
  }

  private @Nullable String key() {
    return delivery.groupKey();
  }

  private void requireOpen() {
    if (status != ProcessStatus.RUNNING) {
      throw new IllegalStateException(
          "The step has ended " + this + " already: what it asks for comes before that.");
    }
  }

  private Inbox requireSameStore(String inbox) {
    Inbox target = mailroom.inbox(inbox);
    if (!target.sharesStoreWith(own)) {
      throw new InvalidMessageException(
          "Inbox '"
              + inbox
              + "' is kept in another store than "
              + this
              + ": what a step sends is stored together with its state.");
    }
    return target;
  }

  private void note(Kind kind, String subject, @Nullable UUID message) {
    if (settings.history() > 0) {
      history.add(new ProcessEvent(delivery.leasedAt(), kind, subject, message));
      if (history.size() > settings.history()) {
        history.remove(0);
      }
    }
  }

  /** The new version of the instance and everything that goes with it. */
  Commit commit(Payload state, Found found) {
    ProcessRecord before = found.running();
    Instant now = delivery.leasedAt();
    boolean kept = status == ProcessStatus.RUNNING || settings.keep() != null;
    ProcessRecord after =
        new ProcessRecord(
            status,
            before == null ? now : before.startedAt(),
            now,
            state,
            timeouts,
            undos,
            history);
    if (status != ProcessStatus.RUNNING && settings.keep() != null) {
      sent.computeIfAbsent(own.name(), inbox -> new ArrayList<>())
          .add(Forgetting.message(delivery, settings.keep(), found.version() + 1));
    }
    if (!asked.isEmpty()) {
      sent.computeIfAbsent(own.name(), inbox -> new ArrayList<>()).addAll(asked.values());
    }
    Payload value = kept ? own.encode(ProcessFormat.encode(after)) : null; // refused if too large
    return new Commit(
        List.of(),
        sent.entrySet().stream()
            .map(entry -> mailroom.inbox(entry.getKey()).prepare(entry.getValue()))
            .toList(),
        cancelled.stream().map(id -> own.removal(Target.id(id))).toList(),
        new StateChange(found.key(), found.version(), value));
  }

  @Override
  public String toString() {
    return "process '" + settings.name() + "' of '" + key() + "'";
  }
}
