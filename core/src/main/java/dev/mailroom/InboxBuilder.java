package dev.mailroom;

import dev.mailroom.internal.inbox.HandlerRegistration;
import dev.mailroom.internal.inbox.HandlerSource;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.Store;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes an inbox. Its behaviour follows from two choices: single or batch handlers, and the
 * ordering. An inbox without handlers is write-only: nothing runs for it in this process.
 */
public final class InboxBuilder {
  private final String name;
  private @Nullable InboxOptions options;
  private @Nullable Store store;
  private final List<HandlerRegistration<Handler<?>>> handlers = new ArrayList<>();
  private final List<HandlerRegistration<BatchHandler<?>>> batchHandlers = new ArrayList<>();

  InboxBuilder(String name) {
    this.name = name;
  }

  /** Its options. Default: {@link InboxOptions#DEFAULT}. */
  public InboxBuilder options(InboxOptions value) {
    if (options != null) {
      throw new IllegalArgumentException(
          "The options of inbox '"
              + name
              + "' were given before, and these would replace them: give all of them at once.");
    }
    options = value;
    return this;
  }

  /** Its options, from the defaults: {@code options(o -> o.concurrency(4))}. */
  public InboxBuilder options(UnaryOperator<InboxOptionsBuilder> change) {
    return options(change.apply(InboxOptions.builder()).build());
  }

  /** A store of its own. Default: the mailroom's. */
  public InboxBuilder store(Store value) {
    store = value;
    return this;
  }

  /** Handles messages of this type one by one. */
  public <T> InboxBuilder handler(Class<T> type, Handler<T> handler) {
    return handler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this type one by one, with options of its own. */
  public <T> InboxBuilder handler(Class<T> type, Handler<T> handler, HandlerOptions own) {
    return add(type, HandlerSource.of(handler), own);
  }

  /** Handles messages of this type one by one, by a class that the resolver supplies. */
  public <T> InboxBuilder handler(Class<T> type, Class<? extends Handler<T>> handler) {
    return handler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this generic type one by one. */
  public <T> InboxBuilder handler(TypeReference<T> type, Handler<T> handler) {
    return handler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this generic type one by one, with options of its own. */
  public <T> InboxBuilder handler(TypeReference<T> type, Handler<T> handler, HandlerOptions own) {
    return add(type.type(), HandlerSource.of(handler), own);
  }

  /** Handles messages of this type one by one, by a class that the resolver supplies. */
  public <T> InboxBuilder handler(
      Class<T> type, Class<? extends Handler<T>> handler, HandlerOptions own) {
    return add(type, HandlerSource.of(handler), own);
  }

  /** Handles messages of this type in batches. */
  public <T> InboxBuilder batchHandler(Class<T> type, BatchHandler<T> handler) {
    return batchHandler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(Class<T> type, BatchHandler<T> handler, HandlerOptions own) {
    return addBatch(type, HandlerSource.of(handler), own);
  }

  /** Handles messages of this type in batches, by a class that the resolver supplies. */
  public <T> InboxBuilder batchHandler(Class<T> type, Class<? extends BatchHandler<T>> handler) {
    return batchHandler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this generic type in batches. */
  public <T> InboxBuilder batchHandler(TypeReference<T> type, BatchHandler<T> handler) {
    return batchHandler(type, handler, HandlerOptions.DEFAULT);
  }

  /** Handles messages of this generic type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(
      TypeReference<T> type, BatchHandler<T> handler, HandlerOptions own) {
    return addBatch(type.type(), HandlerSource.of(handler), own);
  }

  /** Handles messages of this type in batches, by a class that the resolver supplies. */
  public <T> InboxBuilder batchHandler(
      Class<T> type, Class<? extends BatchHandler<T>> handler, HandlerOptions own) {
    return addBatch(type, HandlerSource.of(handler), own);
  }

  /**
   * Handles every message one by one with its payload as it is stored, whatever its contract is:
   * for those that pass messages on and need not know their types. It is the only handler.
   */
  public InboxBuilder relay(Handler<Payload> relay) {
    return handler(Payload.class, relay);
  }

  /**
   * As {@link #relay}, in batches of whatever was leased together: contracts and groups are mixed,
   * the messages of one group stand in their order. A failure holds up its own group alone: what
   * stands behind it in the batch comes again, however it was answered.
   */
  public InboxBuilder batchRelay(BatchHandler<Payload> relay) {
    return batchHandler(Payload.class, relay);
  }

  private InboxBuilder add(Type type, HandlerSource<Handler<?>> source, HandlerOptions own) {
    handlers.add(new HandlerRegistration<>(type, source, own));
    refuseMoreThanRelay(handlers);
    return refuseBoth();
  }

  private InboxBuilder addBatch(
      Type type, HandlerSource<BatchHandler<?>> source, HandlerOptions own) {
    batchHandlers.add(new HandlerRegistration<>(type, source, own));
    refuseMoreThanRelay(batchHandlers);
    return refuseBoth();
  }

  private void refuseMoreThanRelay(List<? extends HandlerRegistration<?>> all) {
    if (all.size() > 1 && all.stream().anyMatch(HandlerRegistration::isRelay)) {
      throw new IllegalArgumentException(
          "Inbox '" + name + "' has a relay, which takes every message: it is the only handler.");
    }
  }

  private InboxBuilder refuseBoth() {
    if (!handlers.isEmpty() && !batchHandlers.isEmpty()) {
      throw new IllegalArgumentException(
          "Inbox '" + name + "' has single and batch handlers: choose one kind, or two inboxes.");
    }
    return this;
  }

  String name() {
    return name;
  }

  InboxOptions options() {
    return options == null ? InboxOptions.DEFAULT : options;
  }

  @Nullable Store store() {
    return store;
  }

  List<HandlerRegistration<Handler<?>>> handlers() {
    return handlers;
  }

  List<HandlerRegistration<BatchHandler<?>>> batchHandlers() {
    return batchHandlers;
  }
}
