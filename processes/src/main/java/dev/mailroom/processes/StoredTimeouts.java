package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
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
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.MessageChannel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The timeouts in their store, without the engine: for tools, and for applications with a dispatch
 * loop of their own. Several callers, and the engine, can claim concurrently: each timeout is
 * leased by one of them.
 *
 * <p>A caller that has dispatched a timeout {@linkplain #remove removes} it; one that could not
 * {@linkplain #release releases} it. A caller that does neither before the lease has expired loses
 * it to the first {@linkplain #reclaim reclaim}. Thread-safe.
 */
public final class StoredTimeouts {
  private final FacadeContext context;
  private final MessageChannel channel;
  private final DurabilityCheck durability;
  private final Duration lease;
  private final String worker;
  private final Function<Payload, Object> decoder;

  StoredTimeouts(
      FacadeContext context,
      MessageChannel channel,
      DurabilityCheck durability,
      InboxOptions.Leasing leasing) {
    this.context = context;
    this.channel = channel;
    this.durability = durability;
    this.lease = leasing.duration();
    String given = leasing.worker();
    this.worker = given == null ? "process " + ProcessHandle.current().pid() : given;
    this.decoder = context::decode;
  }

  /**
   * Stores a timeout, whatever its destination is; returns after it is stored, or, in a
   * transaction, after it is part of it.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if it cannot be stored as it is
   * @throws dev.mailroom.errors.UnknownContractException if its payload's type has no contract
   * @throws WeakDurabilityException if the store could lose it, and that was not accepted
   */
  public TimeoutReceipt insert(Timeout timeout) {
    Outgoing message = TimeoutMessages.message(timeout, channel, context.time());
    durability.require(store());
    Receipt receipt = channel.write(message.payload(), message.options());
    return new TimeoutReceipt(receipt.messageId(), receipt.acceptedAt(), receipt.status());
  }

  /**
   * Leases timeouts that are due, the earliest first. A poison message, which has crashed its
   * worker before, is leased alone, and dead-lettered after too many crashes or attempts.
   *
   * @param most how many at most, 1 to {@link Limits#BATCH}
   * @throws IllegalArgumentException if {@code most} is not positive
   */
  public DueTimeouts claim(int most) {
    LeaseRequest request = new LeaseRequest(worker, most, most, lease, null, true);
    Claim claim = store().lease(channel.channel(), request);
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
   * @throws LeaseLostException if it is not held under this lease; nothing was changed
   */
  public void remove(UUID id, UUID token) {
    settle(id, token, Outcome.Completed.INSTANCE);
  }

  /**
   * Releases a timeout: due at once, and no attempt is counted.
   *
   * @param token the lease under which it was claimed
   * @throws LeaseLostException if it is not held under this lease; nothing was changed
   */
  public void release(UUID id, UUID token) {
    settle(id, token, Outcome.Released.INSTANCE);
  }

  private void settle(UUID id, UUID token, Outcome outcome) {
    Set<UUID> lost = store().settle(channel.channel(), List.of(new Settlement(id, token, outcome)));
    if (!lost.isEmpty()) {
      throw new LeaseLostException(lost);
    }
  }

  /**
   * Removes a timeout even if it is leased; the outcome of that lease will be refused.
   *
   * @return false if it is dead or gone
   */
  public boolean forceRemove(UUID id) {
    return channel.cancel(Target.id(id).includingLeased());
  }

  /**
   * Releases a timeout that another caller has leased: due at once, and the outcome of that lease
   * will be refused. A timeout that is not leased stays as it is.
   *
   * @return false if it is not leased
   */
  public boolean forceRelease(UUID id) {
    // At its own time, which has passed: a timeout that was released meanwhile keeps its time.
    return channel
        .inspect()
        .find(id)
        .filter(found -> found.state() == MessageState.LEASED)
        .map(found -> Due.at(found.message().timing().visibleAt()))
        .filter(due -> channel.reschedule(Target.id(id).includingLeased(), due))
        .isPresent();
  }

  /**
   * Reclaims expired leases; their timeouts are due again after a back-off. The engine does so by
   * itself, at a quarter of the lease.
   *
   * @return how many leases
   */
  public long reclaim() {
    long total = 0;
    int count;
    do {
      count = store().reclaim(channel.channel(), Limits.BATCH);
      total += count;
    } while (count == Limits.BATCH);
    return total;
  }

  /**
   * Cancels a timeout that is not leased.
   *
   * @return false if it is being dispatched, dead or gone
   */
  public boolean cancel(UUID id) {
    return channel.cancel(Target.id(id));
  }

  /** Cancels by key; see {@link #cancel(UUID)}. */
  public boolean cancel(String key) {
    return channel.cancel(Target.key(key));
  }

  /**
   * Moves a timeout that is not leased to another time.
   *
   * @return false if it is being dispatched, dead or gone
   * @throws dev.mailroom.errors.InvalidMessageException if the time is out of range, or the delay
   *     is negative
   */
  public boolean reschedule(UUID id, Due due) {
    return reschedule(Target.id(id), due);
  }

  /** Moves by key; see {@link #reschedule(UUID, Due)}. */
  public boolean reschedule(String key, Due due) {
    return reschedule(Target.key(key), due);
  }

  private boolean reschedule(Target target, Due due) {
    TimeoutMessages.requireRange(due, context.time());
    return channel.reschedule(target, due);
  }

  /** How many there are, by state. */
  public ChannelCounts counts() {
    return channel.inspect().counts();
  }

  /** The timeout and its state; empty if the store does not hold it. */
  public Optional<FoundTimeout> find(UUID id) {
    return channel.inspect().find(id).map(this::found);
  }

  /** The timeout that took this key last; empty if the store does not hold it. */
  public Optional<FoundTimeout> find(String key) {
    return channel.inspect().find(key).map(this::found);
  }

  /**
   * Starts a search, the highest id first; see {@link
   * dev.mailroom.inspection.Inspection#search(MessageFilter, int)}.
   *
   * @param limit the most to find, 1 to {@link Limits#BATCH}
   */
  public TimeoutPage list(MessageFilter filter, int limit) {
    return page(channel.inspect().search(filter, limit));
  }

  /**
   * Continues a search.
   *
   * @param cursor {@link TimeoutPage#next} of the page before
   * @param limit the most to find, 1 to {@link Limits#BATCH}
   * @throws IllegalArgumentException if the cursor is not from such a page
   */
  public TimeoutPage list(MessageFilter filter, String cursor, int limit) {
    return page(channel.inspect().search(filter, cursor, limit));
  }

  /** Reads all timeouts that match, page by page, as the stream is consumed. */
  public Stream<FoundTimeout> stream(MessageFilter filter) {
    return channel.inspect().stream(filter).map(this::found);
  }

  private TimeoutPage page(MessagePage page) {
    return new TimeoutPage(page.messages().stream().map(this::found).toList(), page.nextCursor());
  }

  private FoundTimeout found(InspectedMessage found) {
    return new FoundTimeout(new StoredTimeout(found.message(), decoder), found.state());
  }

  private Store store() {
    return channel.store();
  }
}
