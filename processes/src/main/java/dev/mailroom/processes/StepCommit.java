package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Ordering;
import dev.mailroom.processes.ProcessEvent.Kind;
import dev.mailroom.processes.ProcessRecord.Compensation;
import dev.mailroom.processes.ProcessRecord.Pending;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.StateChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Collects what one step asks for, and makes one commit of it. */
final class StepCommit implements StepEffects {
  /** The header of a timeout's message that holds the timeout's name. */
  static final String TIMEOUT = "mailroom-timeout";

  private final ProcessDefinition definition;
  private final FacadeContext context;
  private final MessageChannel own;
  private final DurabilityCheck durability;
  private final Delivery<Payload> delivery;
  private final Map<String, List<Outgoing>> sent = new LinkedHashMap<>();
  private final Map<UUID, Outgoing> requested = new LinkedHashMap<>();
  private final List<UUID> cancelled = new ArrayList<>();
  private final Map<String, Pending> timeouts;
  private final List<Compensation> compensations;
  private final List<ProcessEvent> history;
  private ProcessStatus status = ProcessStatus.RUNNING;

  StepCommit(
      ProcessDefinition definition,
      FacadeContext context,
      DurabilityCheck durability,
      Delivery<Payload> delivery,
      @Nullable ProcessRecord before) {
    this.definition = definition;
    this.context = context;
    this.own = context.channel(definition.name());
    this.durability = durability;
    this.delivery = delivery;
    this.timeouts = new HashMap<>(before == null ? Map.of() : before.timeouts());
    this.compensations = new ArrayList<>(before == null ? List.of() : before.compensations());
    this.history = new ArrayList<>(before == null ? List.of() : before.history());
    String name = delivery.headers().get(TIMEOUT);
    if (name == null) {
      note(Kind.RECEIVED, delivery.message().contract().toString(), delivery.id());
    } else {
      timeouts.remove(name);
      note(Kind.TIMEOUT_FIRED, name, delivery.id());
    }
  }

  @Override
  public void send(AddressedMessage message) {
    requireOpen();
    MessageChannel target = requireSameStore(message.inbox());
    Outgoing outgoing = message.message();
    // Encoded now, so that a message that cannot be stored fails the step at this call.
    Payload payload = target.encode(outgoing.payload(), outgoing.options());
    sent.computeIfAbsent(message.inbox(), inbox -> new ArrayList<>()).add(outgoing);
    note(Kind.SENT, payload.contract() + " to " + message.inbox(), null);
  }

  @Override
  public void timeout(String name, Instant due, Object message, WriteOptions.Builder options) {
    requireOpen();
    durability.require(own.store());
    Limits.requireName("timeout name", name);
    definition.requireStep(message);
    // Encoded, because keys of the message's own would make it a duplicate, or collapse others.
    Payload payload = own.encode(message);
    cancelTimeout(name);
    if (timeouts.size() >= ProcessDefinition.MAX_TIMEOUTS) {
      throw new InvalidMessageException(
          this + " waits for " + timeouts.size() + " timeouts already, which is the maximum.");
    }
    UUID id = own.newMessageId();
    requested.put(id, new Outgoing(payload, options.messageId(id).header(TIMEOUT, name).build()));
    timeouts.put(name, new Pending(id, due));
    note(Kind.TIMEOUT_REQUESTED, name, id);
  }

  @Override
  public void cancelTimeout(String name) {
    Pending pending = timeouts.remove(name);
    if (pending != null) {
      if (requested.remove(pending.message()) == null) { // requested by an earlier step
        cancelled.add(pending.message());
      }
      note(Kind.TIMEOUT_CANCELLED, name, pending.message());
    }
  }

  @Override
  public void compensateWith(String inbox, Object command) {
    requireOpen();
    MessageChannel target = requireSameStore(inbox);
    if (target.channel().ordering() == Ordering.NONE) {
      throw new InvalidMessageException(
          "Inbox '"
              + inbox
              + "' is not ordered, so compensations of "
              + this
              + " could run in any order: give it Ordering.WHEN_KEYED.");
    }
    if (compensations.size() >= ProcessDefinition.MAX_COMPENSATIONS) {
      throw new InvalidMessageException(
          this + " has " + compensations.size() + " compensations already, which is the maximum.");
    }
    compensations.add(new Compensation(inbox, target.encode(command)));
  }

  @Override
  public void end(ProcessStatus how, String reason) {
    requireOpen();
    status = how;
    if (how == ProcessStatus.FAILED) {
      compensate();
      note(Kind.FAILED, Limits.cut(reason, Limits.KEY_LENGTH), null);
    } else {
      note(Kind.COMPLETED, "", null);
    }
    new ArrayList<>(timeouts.keySet()).forEach(this::cancelTimeout);
    compensations.clear();
  }

  private void compensate() {
    String tenant = delivery.message().routing().tenant();
    for (int i = compensations.size() - 1; i >= 0; i--) {
      Compensation compensation = compensations.get(i);
      WriteOptions options =
          WriteOptions.builder()
              .groupKey(
                  Limits.cut("compensation " + definition.name() + " " + key(), Limits.KEY_LENGTH))
              .causationId(delivery.id().toString())
              .tenant(tenant)
              .build();
      sent.computeIfAbsent(compensation.inbox(), inbox -> new ArrayList<>())
          .add(new Outgoing(compensation.payload(), options));
      note(Kind.SENT, compensation.payload().contract() + " to " + compensation.inbox(), null);
    }
  }

  private @Nullable String key() {
    return delivery.groupKey();
  }

  private void requireOpen() {
    if (status != ProcessStatus.RUNNING) {
      throw new IllegalStateException(
          "The step has ended " + this + " already: ask for everything before that.");
    }
  }

  private MessageChannel requireSameStore(String inbox) {
    MessageChannel target = context.channel(inbox);
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
    if (definition.history() > 0) {
      history.add(new ProcessEvent(delivery.leasedAt(), kind, subject, message));
      if (history.size() > definition.history()) {
        history.remove(0);
      }
    }
  }

  /** The new version of the instance and everything that goes with it. */
  Commit commit(Payload state, VersionedInstance instance) {
    ProcessRecord before = instance.running();
    Instant now = delivery.leasedAt();
    boolean kept = status == ProcessStatus.RUNNING || definition.keep() != null;
    ProcessRecord after =
        new ProcessRecord(
            status,
            before == null ? now : before.startedAt(),
            now,
            state,
            timeouts,
            compensations,
            history);
    if (status != ProcessStatus.RUNNING && definition.keep() != null) {
      sent.computeIfAbsent(own.name(), inbox -> new ArrayList<>())
          .add(InstanceExpiry.message(delivery, definition.keep(), instance.version() + 1));
    }
    if (!requested.isEmpty()) {
      sent.computeIfAbsent(own.name(), inbox -> new ArrayList<>()).addAll(requested.values());
    }
    Payload value = kept ? own.encode(ProcessFormat.encode(after)) : null; // refused if too large
    return new Commit(
        List.of(),
        sent.entrySet().stream()
            .map(entry -> context.channel(entry.getKey()).prepare(entry.getValue()))
            .toList(),
        cancelled.stream().map(id -> own.removal(Target.id(id))).toList(),
        new StateChange(instance.key(), instance.version(), value));
  }

  @Override
  public String toString() {
    return "process '" + definition.name() + "' of '" + key() + "'";
  }
}
