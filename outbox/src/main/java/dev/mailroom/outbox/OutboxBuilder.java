package dev.mailroom.outbox;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.spi.Store;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Describes an {@link Outbox}. */
public final class OutboxBuilder {
  /** The name of an outbox, unless another is given: {@value}. */
  public static final String NAME = "outbox";

  private String name = NAME;
  private @Nullable Dispatcher dispatcher;
  private final InProcessDispatcher handlers = new InProcessDispatcher();
  private boolean writeOnly;
  private @Nullable Store store;
  private Consumer<InboxOptionsBuilder> options = builder -> {};

  OutboxBuilder() {}

  /** Its channel's name, for more than one outbox. Default: {@value #NAME}. */
  public OutboxBuilder name(String value) {
    name = Limits.requireName("outbox name", value);
    return this;
  }

  /**
   * Handles events of this type and its subtypes in this process, without a dispatcher. Handlers of
   * one event are called in the order given; if one throws, the event is retried for all of them,
   * so each must be idempotent. Events that no handler matches are parked for a version of the
   * application that has one, and dead-lettered after the {@linkplain InboxOptionsBuilder#park park
   * time}.
   */
  public <T> OutboxBuilder on(Class<T> type, EventConsumer<? super T> handler) {
    return handler(type, (event, message) -> handler.handle(event));
  }

  /**
   * As {@link #on}, with the stored message: {@code handler(OrderPlaced.class, (order, message) ->
   * ship(order, message.id()))}.
   */
  public <T> OutboxBuilder handler(Class<T> type, EventMessageConsumer<? super T> handler) {
    handlers.add(type, handler);
    return this;
  }

  /** Publishes its events. Required, unless it is {@link #writeOnly} or has handlers. */
  public OutboxBuilder dispatcher(Dispatcher value) {
    dispatcher = value;
    return this;
  }

  /** Only records events here; another process publishes them. */
  public OutboxBuilder writeOnly() {
    writeOnly = true;
    return this;
  }

  /** A store of its own. Default: the mailroom's. */
  public OutboxBuilder store(Store value) {
    store = value;
    return this;
  }

  /**
   * How events are claimed, leased, retried and kept, from the defaults of an inbox; the ordering
   * is {@link Ordering#WHEN_KEYED} unless said otherwise.
   */
  public OutboxBuilder options(Consumer<InboxOptionsBuilder> change) {
    options = options.andThen(change);
    return this;
  }

  /**
   * The outbox, to be added to a mailroom.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Outbox build() {
    Violations violations = new Violations("Outbox '" + name + "'");
    violations.check(
        dispatcher != null || writeOnly || !handlers.isEmpty(),
        "dispatcher",
        null,
        "set one, add handlers with on(…), or call writeOnly() if another process publishes");
    violations.check(
        dispatcher == null || !writeOnly,
        "dispatcher",
        dispatcher,
        "must not be there in an outbox that is writeOnly()");
    violations.check(
        handlers.isEmpty() || (dispatcher == null && !writeOnly),
        "on",
        handlers.eventTypes(),
        "handlers in this process exclude a dispatcher and writeOnly(): use two outboxes, or a"
            + " CompositeDispatcher");
    violations.raise();
    InboxOptionsBuilder made = InboxOptions.builder().ordering(Ordering.WHEN_KEYED);
    options.accept(made);
    Dispatcher target = handlers.isEmpty() ? dispatcher : handlers;
    return new Outbox(new Description(name, target, store, made.build()));
  }

  /**
   * What was described.
   *
   * @param name its channel's name
   * @param dispatcher publishes its events; null if it is write-only here
   * @param store a store of its own; null means the mailroom's
   * @param options its channel's options
   */
  record Description(
      String name, @Nullable Dispatcher dispatcher, @Nullable Store store, InboxOptions options) {}
}
