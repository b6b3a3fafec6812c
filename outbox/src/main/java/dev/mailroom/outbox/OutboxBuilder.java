package dev.mailroom.outbox;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.spi.Store;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Describes an {@link Outbox}. */
public final class OutboxBuilder {
  /** The name of an outbox, unless another is given: {@value}. */
  public static final String NAME = "outbox";

  private String name = NAME;
  private @Nullable Dispatcher dispatcher;
  private boolean writeOnly;
  private @Nullable Store store;
  private UnaryOperator<InboxOptionsBuilder> options = builder -> builder;

  OutboxBuilder() {}

  /** Its channel's name, for more than one outbox. Default: {@value #NAME}. */
  public OutboxBuilder name(String value) {
    name = Limits.requireName("outbox name", value);
    return this;
  }

  /** Publishes its events. Required, unless it is {@link #writeOnly}. */
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
  public OutboxBuilder options(UnaryOperator<InboxOptionsBuilder> change) {
    options = change;
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
        dispatcher != null || writeOnly,
        "dispatcher",
        null,
        "set one, or writeOnly() if another process publishes");
    violations.check(
        dispatcher == null || !writeOnly,
        "dispatcher",
        dispatcher,
        "must not be there in an outbox that is writeOnly()");
    violations.raise();
    InboxOptions made = options.apply(InboxOptions.builder().ordering(Ordering.WHEN_KEYED)).build();
    return new Outbox(new Description(name, dispatcher, store, made));
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
