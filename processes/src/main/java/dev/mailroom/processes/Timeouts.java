package dev.mailroom.processes;

import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Due;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Durable timers: a timeout that was requested is brought to its destination at its time or soon
 * after, by the store's clock, at least once, despite crashes.
 *
 * <pre>{@code
 * Timeouts timeouts =
 *     Timeouts.builder()
 *         .destination("remind", timeout -> remind(timeout.payload(Order.class)))
 *         .build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(timeouts).build();
 * mailroom.start();
 * timeouts.request(
 *     "remind",
 *     timeout -> timeout.after(Duration.ofDays(1)).key("remind/4711").payload(order));
 * timeouts.cancel("remind/4711");
 * }</pre>
 *
 * <p>A timeout is a message of an unordered channel: it is retried and dead-lettered like any
 * other, and delays no other. Requesting works before the mailroom starts and in processes that
 * never start it. Thread-safe.
 */
public final class Timeouts implements Facade {
  private final TimeoutsBuilder.Description description;
  private final DestinationRegistry destinations;
  private final DurabilityCheck durability;
  private final FacadeChannel own;

  Timeouts(TimeoutsBuilder.Description description) {
    this.description = description;
    this.own = new FacadeChannel("timeouts", description.name());
    this.durability = new DurabilityCheck("Timeouts.builder()", description.weakDurability());
    this.destinations =
        new DestinationRegistry(
            description.destinations(this::inboxDestination),
            description.remote(),
            payload -> own.context().decode(payload));
  }

  private TimeoutDestination inboxDestination(String inbox) {
    return new InboxDestination(inbox, own);
  }

  /** Describes timeouts. */
  public static TimeoutsBuilder builder() {
    return new TimeoutsBuilder();
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.inbox(own.name(), this::describe);
  }

  private void describe(InboxBuilder inbox) {
    inbox.options(description.options());
    if (description.store() != null) {
      inbox.store(description.store());
    }
    if (!destinations.isEmpty()) {
      inbox.relay(destinations::fire);
    }
  }

  /**
   * Takes its channel, and checks its destinations and the durability of its store.
   *
   * @throws WeakDurabilityException if the store acknowledges writes before they are durable, and
   *     that was not accepted
   */
  @Override
  public void opened(FacadeContext context) {
    own.opened(context);
    destinations.opened(context);
    durability.requireIfReachable(own.channel().store());
  }

  /** The name of its channel. */
  public String name() {
    return own.name();
  }

  /**
   * Stores a timeout: {@code timeouts.request("remind", timeout ->
   * timeout.after(Duration.ofDays(1)).key("4711"))}. Returns and throws as {@link
   * #request(Timeout)}.
   */
  public TimeoutReceipt request(String destination, Consumer<Timeout.Builder> timeout) {
    return request(Timeout.of(destination, timeout));
  }

  /**
   * Stores a timeout; returns after it is stored, or, in a transaction, after it is part of it. In
   * every error but the last one nothing was stored.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if its destination is not known, or it
   *     cannot be stored as it is
   * @throws dev.mailroom.errors.UnknownContractException if its payload's type has no contract
   * @throws WeakDurabilityException if the store could lose it, and that was not accepted
   * @throws dev.mailroom.errors.TransientStoreException if the store failed and retries did not
   *     help; whether it was stored may be unknown, and requesting it again under the same id is
   *     safe
   */
  public TimeoutReceipt request(Timeout timeout) {
    destinations.require(timeout);
    return stored().insert(timeout);
  }

  /**
   * A timeout to be stored together with something else. Returns and throws as {@link
   * #message(Timeout)}.
   */
  public AddressedMessage message(String destination, Consumer<Timeout.Builder> timeout) {
    return message(Timeout.of(destination, timeout));
  }

  /**
   * A timeout as {@link #request(Timeout)} would store it, to be stored together with something
   * else, such as a process's step. It names no transaction.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if its destination is not known, or it
   *     cannot be stored as it is
   * @throws dev.mailroom.errors.UnknownContractException if its payload's type has no contract
   * @throws WeakDurabilityException if the store could lose it, and that was not accepted
   */
  public AddressedMessage message(Timeout timeout) {
    destinations.require(timeout);
    durability.require(own.channel().store());
    return new AddressedMessage(
        own.name(), TimeoutMessages.message(timeout, own.channel(), own.context().time()));
  }

  /**
   * Cancels a timeout that is not being dispatched.
   *
   * @return false if it is, or is dead or gone
   */
  public boolean cancel(UUID id) {
    return stored().cancel(id);
  }

  /** Cancels by key; see {@link #cancel(UUID)}. */
  public boolean cancel(String key) {
    return stored().cancel(key);
  }

  /**
   * Moves a timeout that is not being dispatched to another time.
   *
   * @return false if it is, or is dead or gone
   * @throws dev.mailroom.errors.InvalidMessageException if the time is out of range, or the delay
   *     is negative
   */
  public boolean reschedule(UUID id, Due due) {
    return stored().reschedule(id, due);
  }

  /** Moves by key; see {@link #reschedule(UUID, Due)}. */
  public boolean reschedule(String key, Due due) {
    return stored().reschedule(key, due);
  }

  /**
   * Brings everything that is due to its destination, on the caller's thread: for jobs, and for
   * places where nothing runs between requests. In the background the mailroom does it, once
   * started.
   *
   * @return how many were dispatched, successfully or not
   */
  public long processPending() {
    return own.context().processPending(own.name());
  }

  /** Its dead letters: timeouts whose destination ran out of attempts or failed permanently. */
  public DeadLetters deadLetters() {
    return own.channel().deadLetters();
  }

  /**
   * Queries over its channel: how many timeouts wait, and which messages they are. For timeouts see
   * {@link #stored}.
   *
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return own.channel().inspect();
  }

  /** The timeouts in their store: to query, and to lease without the engine. */
  public StoredTimeouts stored() {
    return new StoredTimeouts(
        own.context(), own.channel(), durability, description.options().leasing());
  }

  @Override
  public String toString() {
    return "Timeouts '" + own.name() + "'";
  }
}
