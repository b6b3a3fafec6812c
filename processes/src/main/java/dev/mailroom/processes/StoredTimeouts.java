package dev.mailroom.processes;

import dev.mailroom.Inbox;
import dev.mailroom.InboxOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The timeouts in their store, without the engine: for those who dispatch them by means of their
 * own, and for tools. Several callers, and the engine, can claim at once: a timeout is leased by
 * one of them.
 *
 * <p>A caller that has dispatched a timeout {@linkplain #remove removes} it; one that could not
 * {@linkplain #release releases} it. Whoever does neither before the lease has ended loses it to
 * whoever reaps first. Safe for use by many threads.
 */
public final class StoredTimeouts {
  private final Mailroom mailroom;
  private final Inbox inbox;
  private final DurabilityCheck durability;
  private final Duration lease;
  private final String worker;
  private final Function<Payload, Object> decoder;

  StoredTimeouts(
      Mailroom mailroom, Inbox inbox, DurabilityCheck durability, InboxOptions.Leasing leasing) {
    this.mailroom = mailroom;
    this.inbox = inbox;
    this.durability = durability;
    this.lease = leasing.duration();
    String given = leasing.worker();
    this.worker = given == null ? "process " + ProcessHandle.current().pid() : given;
    this.decoder = mailroom::decode;
  }

  /**
   * Stores a timeout, whoever its destination is; returns after it is stored, or, in a transaction,
   * after it is part of it.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if it cannot be stored as it is
   * @throws dev.mailroom.errors.UnknownContractException if its payload's type has no contract
   * @throws WeakDurabilityException if the store could lose it, and that was not accepted
   */
  public TimeoutReceipt insert(Timeout timeout) {
    Outgoing message = TimeoutWriting.message(timeout, inbox, mailroom.time());
    durability.require(store());
    Receipt receipt = inbox.write(message.payload(), message.options());
    return new TimeoutReceipt(receipt.messageId(), receipt.acceptedAt(), receipt.status());
  }

  /**
   * Leases timeouts that are due, the earliest first. One that has crashed its worker before comes
   * alone; one that has done so too often, or has outlived its attempts, is a dead letter.
   *
   * @param most how many at most, 1 to {@link Limits#BATCH}
   * @throws IllegalArgumentException if {@code most} is not positive
   */
  public DueTimeouts claim(int most) {
    LeaseRequest request = new LeaseRequest(worker, most, most, lease, null, true);
    Claim claim = store().lease(inbox.channel(), request);
    Lease leased = claim.lease();
    List<LeasedTimeout> timeouts =
        leased == null
            ? List.of()
            : leased.messages().stream()
                .map(message -> new LeasedTimeout(message, decoder, leased.token()))
                .toList();
    return new DueTimeouts(timeouts, claim.nextDue());
  }

  /**
   * Removes a timeout that was dispatched.
   *
   * @param token the lease under which it was claimed
   * @throws LeaseLostException if it is held under another lease or none; nothing was changed
   */
  public void remove(UUID id, UUID token) {
    settle(id, token, Outcome.Completed.INSTANCE);
  }

  /**
   * Gives a timeout back: due at once, and no attempt is counted.
   *
   * @param token the lease under which it was claimed
   * @throws LeaseLostException if it is held under another lease or none; nothing was changed
   */
  public void release(UUID id, UUID token) {
    settle(id, token, Outcome.Released.INSTANCE);
  }

  private void settle(UUID id, UUID token, Outcome outcome) {
    Set<UUID> lost = store().settle(inbox.channel(), List.of(new Settlement(id, token, outcome)));
    if (!lost.isEmpty()) {
      throw new LeaseLostException(lost);
    }
  }

  /**
   * Removes a timeout, whoever has leased it; that one's outcome will be refused.
   *
   * @return false if it is dead or gone
   */
  public boolean forcedRemove(UUID id) {
    return inbox.cancel(Target.id(id).includingLeased());
  }

  /**
   * Takes a timeout from whoever has leased it: due at once, and that one's outcome will be
   * refused. One that nobody has leased stays as it is.
   *
   * @return false if nobody has leased it
   */
  public boolean forcedRelease(UUID id) {
    InspectedMessage found = inbox.inspect().find(id);
    if (found == null || found.state() != MessageState.LEASED) {
      return false;
    }
    // At its own time, which has come. If it was settled meanwhile this changes nothing of weight.
    Due due = Due.at(found.message().timing().visibleAt());
    return inbox.reschedule(Target.id(id).includingLeased(), due);
  }

  /**
   * Takes leases that have ended from callers that have gone silent; their timeouts are due again
   * after a back-off. The engine does so by itself, at a quarter of the lease.
   *
   * @return how many leases
   */
  public long reap() {
    long total = 0;
    int count;
    do {
      count = store().reclaim(inbox.channel(), Limits.BATCH);
      total += count;
    } while (count == Limits.BATCH);
    return total;
  }

  /**
   * Removes a timeout that nobody has leased.
   *
   * @return false if it is being dispatched, dead or gone
   */
  public boolean cancel(UUID id) {
    return inbox.cancel(Target.id(id));
  }

  /** The same by its key. */
  public boolean cancel(String key) {
    return inbox.cancel(Target.key(key));
  }

  /**
   * Moves a timeout that nobody has leased to another time.
   *
   * @return false if it is being dispatched, dead or gone
   * @throws dev.mailroom.errors.InvalidMessageException if the time is out of range
   */
  public boolean reschedule(UUID id, Due due) {
    return reschedule(Target.id(id), due);
  }

  /** The same by its key. */
  public boolean reschedule(String key, Due due) {
    return reschedule(Target.key(key), due);
  }

  private boolean reschedule(Target target, Due due) {
    if (due instanceof Due.At at) {
      Timeout.requireTime(at.time());
    }
    TimeoutWriting.requireRange(due, mailroom.time());
    return inbox.reschedule(target, due);
  }

  /** How many there are, by state. */
  public ChannelCounts count() {
    return inbox.inspect().counts();
  }

  /** The timeout and its state, or null if the store does not hold it. */
  public @Nullable FoundTimeout get(UUID id) {
    return found(inbox.inspect().find(id));
  }

  /** The timeout that took this key last, or null if the store does not hold it. */
  public @Nullable FoundTimeout get(String key) {
    return found(inbox.inspect().find(null, key));
  }

  /**
   * Steps through the timeouts, the highest id first; see {@link
   * dev.mailroom.inspection.Inspection#search}.
   *
   * @param after the last page's {@link TimeoutPage#next}, or null to begin
   * @param limit the most to find, 1 to {@link Limits#BATCH}
   */
  public TimeoutPage list(MessageFilter filter, @Nullable String after, int limit) {
    MessagePage page = inbox.inspect().search(filter, after, limit);
    return new TimeoutPage(
        page.messages().stream().map(each -> new FoundTimeout(stored(each), each.state())).toList(),
        page.next());
  }

  private @Nullable FoundTimeout found(@Nullable InspectedMessage found) {
    return found == null ? null : new FoundTimeout(stored(found), found.state());
  }

  private StoredTimeout stored(InspectedMessage found) {
    return new StoredTimeout(found.message(), decoder);
  }

  private Store store() {
    return inbox.store();
  }
}
