package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.StateChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects messages under their keys. What is collected under a key is a state; every message
 * becomes part of it in the commit that completes the message. The one that makes it full, or the
 * closing message that was written with the first one, hands all of it over as one message.
 */
final class Collecting {
  private static final Contract CLOSING = new Contract("mailroom.collected-closing", 1);

  /** The most bytes of one batch, unless a message can hold fewer. */
  static final int MOST_BYTES = 512 * 1024;

  private static final Duration LATER = Duration.ofMillis(100);

  private final String name;
  private final String batches;
  private final int count;
  private final Duration within;

  Collecting(String name, String batches, int count, Duration within) {
    this.name = name;
    this.batches = batches;
    this.count = count;
    this.within = within;
  }

  Result handle(Mailroom mailroom, Delivery<Payload> delivery) {
    Inbox inbox = mailroom.inbox(name);
    StateKey key = stateKey(delivery);
    StoredState stored = inbox.state(key);
    long version = stored == null ? 0 : stored.version();
    try {
      Collected before = stored == null ? null : Collected.decode(stored.value());
      if (!delivery.message().contract().equals(CLOSING)) {
        collect(mailroom, delivery, new StateChange(key, version, null), before);
      } else if (before != null && before.closing().equals(delivery.id())) {
        List<Commit.Appends> batch = List.of(batch(mailroom, delivery, List.of(before)));
        delivery.complete(
            new Commit(List.of(), batch, List.of(), new StateChange(key, version, null)));
      }
      return Result.success();
    } catch (UnknownContractException newer) {
      return Result.park(String.valueOf(newer.getMessage()));
    } catch (VersionConflictException conflict) {
      return Result.retryLater(LATER); // only if the lease was lost for a while and somebody got on
    }
  }

  private void collect(
      Mailroom mailroom,
      Delivery<Payload> delivery,
      StateChange removal,
      @Nullable Collected before) {
    Inbox inbox = mailroom.inbox(name);
    int most = Math.min(MOST_BYTES, mailroom.inbox(batches).maximumPayload());
    List<Collected> full = new ArrayList<>();
    boolean first = before == null;
    Collected begun = new Collected(delivery.leasedAt(), inbox.newMessageId(), List.of());
    Collected next = (before == null ? begun : before).with(delivery.payload());
    Payload encoded = next.encode();
    if (before != null && encoded.bytes().length > most) {
      full.add(before);
      first = true;
      next = begun.with(delivery.payload());
      encoded = next.encode();
    }
    boolean complete = next.payloads().size() >= count || encoded.bytes().length >= most;
    if (complete) {
      full.add(next);
    }
    List<Commit.Appends> appends = new ArrayList<>();
    if (!full.isEmpty()) {
      appends.add(batch(mailroom, delivery, full));
    }
    if (first && !complete) {
      appends.add(inbox.prepare(List.of(closing(delivery, next))));
    }
    List<Commit.Cancel> cancels =
        before == null || full.isEmpty()
            ? List.of()
            : List.of(inbox.removal(Target.id(before.closing())));
    StateChange change =
        new StateChange(removal.key(), removal.expectedVersion(), complete ? null : encoded);
    delivery.complete(new Commit(List.of(), appends, cancels, change));
  }

  private Commit.Appends batch(
      Mailroom mailroom, Delivery<Payload> delivery, List<Collected> full) {
    List<Outgoing> outgoing = new ArrayList<>();
    for (Collected each : full) {
      outgoing.add(new Outgoing(each.encode(), grouped(delivery)));
    }
    return mailroom.inbox(batches).prepare(outgoing);
  }

  private Outgoing closing(Delivery<Payload> delivery, Collected collected) {
    Payload nothing = new Payload(CLOSING, "text/plain", new byte[0]);
    return new Outgoing(nothing, grouped(delivery).messageId(collected.closing()).delay(within));
  }

  private static WriteOptions grouped(Delivery<Payload> delivery) {
    WriteOptions options = WriteOptions.builder().groupKey(keyOf(delivery)).build();
    String tenant = delivery.message().routing().tenant();
    return tenant == null ? options : options.tenant(tenant);
  }

  static String keyOf(Delivery<Payload> delivery) {
    return Objects.requireNonNull(delivery.groupKey(), "group key of an ordered inbox");
  }

  private StateKey stateKey(Delivery<Payload> delivery) {
    String tenant = delivery.message().routing().tenant();
    return new StateKey(StateType.ofCollection(name, tenant), keyOf(delivery));
  }
}
