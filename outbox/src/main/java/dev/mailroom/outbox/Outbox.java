package dev.mailroom.outbox;

import dev.mailroom.Contracts;
import dev.mailroom.Facade;
import dev.mailroom.InboxBuilder;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.deadletters.DeadLetters;
import dev.mailroom.inspection.Inspection;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.outbox.spi.DecodesEvents;
import dev.mailroom.outbox.spi.KnowsTopics;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.FacadeContext;
import dev.mailroom.spi.MessageChannel;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records events in the transaction that changes the state; they are published after its commit,
 * never before, never lost: at least once, in order per key.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.builder().on(OrderPlaced.class, event -> announce(event)).build();
 * Mailroom mailroom = Mailroom.builder().store(store).codec(codec).add(outbox).build();
 * mailroom.start();
 *
 * orders.insert(connection, order);
 * outbox.add(new OrderPlaced(order.id()),
 *     options -> options.topic("orders").key(order.id()).in(JdbcTransaction.of(connection)));
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Outbox implements Facade {
  private final OutboxBuilder.Description description;
  private final FacadeChannel inbox;
  private volatile @Nullable Contracts contracts;

  Outbox(OutboxBuilder.Description description) {
    this.description = description;
    this.inbox = new FacadeChannel("outbox", description.name());
  }

  /** Describes an outbox. */
  public static OutboxBuilder builder() {
    return new OutboxBuilder();
  }

  /** Records an event; see {@link #add(Object, EventOptions)}. */
  public OutboxReceipt add(Object event) {
    return add(event, EventOptions.defaults());
  }

  /**
   * Records an event with options: {@code outbox.add(event, options -> options.topic("orders"))};
   * see {@link #add(Object, EventOptions)}.
   */
  public OutboxReceipt add(Object event, Consumer<EventOptions.Builder> options) {
    return add(event, EventOptions.of(options));
  }

  /**
   * Records an event; returns after it is stored, or, in a transaction, after it is part of it.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if it cannot be stored or published as it
   *     is; nothing was stored
   * @throws dev.mailroom.errors.UnknownContractException if its type has no contract; nothing was
   *     stored
   * @throws dev.mailroom.errors.TransientStoreException if the store failed and repeating did not
   *     help; whether it was stored may be unknown, and adding it again under the same message id
   *     is safe
   * @throws IllegalStateException if this outbox was not added to a mailroom
   */
  public OutboxReceipt add(Object event, EventOptions options) {
    MessageChannel target = inbox.channel();
    requireKnown(event, options);
    return OutboxReceipt.of(target.write(event, options.write()), options.write());
  }

  /**
   * An event as {@link #add(Object, EventOptions)} would store it, to be stored together with
   * something else, such as a process's step. The options name no transaction.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if it could not be published
   */
  public AddressedMessage message(Object event, EventOptions options) {
    requireKnown(event, options);
    return new AddressedMessage(inbox.name(), new Outgoing(event, options.write()));
  }

  /** As {@link #message(Object, EventOptions)}, with options set by a lambda. */
  public AddressedMessage message(Object event, Consumer<EventOptions.Builder> options) {
    return message(event, EventOptions.of(options));
  }

  /** Its name, which is its channel's. */
  public String name() {
    return inbox.name();
  }

  /** Events that could not be published. */
  public DeadLetters deadLetters() {
    return inbox.channel().deadLetters();
  }

  /**
   * Queries over it: how many events wait, and which.
   *
   * @throws UnsupportedOperationException if its store does not support inspection
   */
  public Inspection inspect() {
    return inbox.channel().inspect();
  }

  private void requireKnown(Object event, EventOptions options) {
    Contracts known = contracts;
    if (event != null && known != null && description.dispatcher() instanceof KnowsTopics knowing) {
      TypeReference<?> type = options.write().type();
      Contract contract = known.of(type == null ? known.typeOf(event) : type.type());
      knowing.requireKnown(options.topic(), contract);
    }
  }

  /** This outbox for events that are marked as such, and for no others. */
  public IntegrationOutbox integration() {
    return new IntegrationOutbox(this);
  }

  /**
   * Publishes everything that is due, on the caller's thread: for jobs, and for places where
   * nothing runs between requests.
   *
   * @return how many events were dispatched, successfully or not
   */
  public long processPending() {
    return inbox.context().processPending(inbox.name());
  }

  @Override
  public void describe(MailroomBuilder builder) {
    builder.contracts(this::learn).inbox(inbox.name(), this::describe);
  }

  private void learn(Contracts known) {
    contracts = known;
    if (description.dispatcher() instanceof DecodesEvents decoding) {
      for (Class<?> type : decoding.eventTypes()) {
        if (type.isAnnotationPresent(MessageContract.class)) {
          known.register(type);
        }
      }
    }
  }

  private void describe(InboxBuilder own) {
    own.options(description.options());
    if (description.store() != null) {
      own.store(description.store());
    }
    if (description.dispatcher() != null) {
      Function<Payload, Object> decoder = payload -> inbox.context().decode(payload);
      new OutboxRelay(description.dispatcher(), decoder).describe(own, description.options());
    }
  }

  @Override
  public void opened(FacadeContext context) {
    inbox.opened(context);
  }

  @Override
  public String toString() {
    return "The outbox '" + inbox.name() + "'";
  }
}
