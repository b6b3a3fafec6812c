package dev.mailroom;

import dev.mailroom.internal.inbox.HandlerRegistration;
import dev.mailroom.internal.inbox.HandlerSource;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.Store;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

  /** Its options. Default: {@link InboxOptions#defaults}. */
  public InboxBuilder options(InboxOptions value) {
    if (options != null) {
      throw new IllegalArgumentException(
          "The options of inbox '"
              + name
              + "' were set before, and these would replace them: set all of them at once.");
    }
    options = value;
    return this;
  }

  /** Its options, from the defaults: {@code options(o -> o.concurrency(4))}. */
  public InboxBuilder options(Consumer<InboxOptionsBuilder> settings) {
    return options(InboxOptions.of(settings));
  }

  /** A store of its own. Default: the mailroom's. */
  public InboxBuilder store(Store value) {
    store = value;
    return this;
  }

  /**
   * Handles payloads of this type one by one: {@code on(OrderPlaced.class, order -> ship(order))}.
   * The message is done when the handler returns, and has failed when it throws.
   */
  public <T> InboxBuilder on(Class<T> type, PayloadHandler<T> handler) {
    return on(type, handler, HandlerOptions.defaults());
  }

  /** Handles payloads of this type one by one, with options of the handler's own. */
  public <T> InboxBuilder on(
      Class<T> type, PayloadHandler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return on(type, handler, HandlerOptions.of(options));
  }

  /** Handles payloads of this type one by one, with options of the handler's own. */
  public <T> InboxBuilder on(Class<T> type, PayloadHandler<T> handler, HandlerOptions options) {
    return addPayloadHandler(type, handler, options);
  }

  /** Handles payloads of this generic type one by one. */
  public <T> InboxBuilder on(TypeReference<T> type, PayloadHandler<T> handler) {
    return on(type, handler, HandlerOptions.defaults());
  }

  /** Handles payloads of this generic type one by one, with options of the handler's own. */
  public <T> InboxBuilder on(
      TypeReference<T> type, PayloadHandler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return on(type, handler, HandlerOptions.of(options));
  }

  /** Handles payloads of this generic type one by one, with options of the handler's own. */
  public <T> InboxBuilder on(
      TypeReference<T> type, PayloadHandler<T> handler, HandlerOptions options) {
    return addPayloadHandler(type.type(), handler, options);
  }

  /** Handles messages of this type one by one. */
  public <T> InboxBuilder handler(Class<T> type, Handler<T> handler) {
    return handler(type, handler, HandlerOptions.defaults());
  }

  /** Handles messages of this type one by one, with options of its own. */
  public <T> InboxBuilder handler(
      Class<T> type, Handler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return handler(type, handler, HandlerOptions.of(options));
  }

  /** Handles messages of this type one by one, with options of its own. */
  public <T> InboxBuilder handler(Class<T> type, Handler<T> handler, HandlerOptions options) {
    return add(type, HandlerSource.of(handler), options);
  }

  /** Handles messages of this generic type one by one. */
  public <T> InboxBuilder handler(TypeReference<T> type, Handler<T> handler) {
    return handler(type, handler, HandlerOptions.defaults());
  }

  /** Handles messages of this generic type one by one, with options of its own. */
  public <T> InboxBuilder handler(
      TypeReference<T> type, Handler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return handler(type, handler, HandlerOptions.of(options));
  }

  /** Handles messages of this generic type one by one, with options of its own. */
  public <T> InboxBuilder handler(
      TypeReference<T> type, Handler<T> handler, HandlerOptions options) {
    return add(type.type(), HandlerSource.of(handler), options);
  }

  /** Handles messages of this type one by one, by a class that the resolver supplies. */
  public <T> InboxBuilder handler(Class<T> type, Class<? extends Handler<T>> handler) {
    return handler(type, handler, HandlerOptions.defaults());
  }

  /**
   * Handles messages of this type one by one, by a class that the resolver supplies; with options
   * of its own.
   */
  public <T> InboxBuilder handler(
      Class<T> type,
      Class<? extends Handler<T>> handler,
      Consumer<HandlerOptions.Builder> options) {
    return handler(type, handler, HandlerOptions.of(options));
  }

  /**
   * Handles messages of this type one by one, by a class that the resolver supplies; with options
   * of its own.
   */
  public <T> InboxBuilder handler(
      Class<T> type, Class<? extends Handler<T>> handler, HandlerOptions options) {
    return add(type, HandlerSource.of(handler), options);
  }

  /** Handles messages of this type in batches. */
  public <T> InboxBuilder batchHandler(Class<T> type, BatchHandler<T> handler) {
    return batchHandler(type, handler, HandlerOptions.defaults());
  }

  /** Handles messages of this type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(
      Class<T> type, BatchHandler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return batchHandler(type, handler, HandlerOptions.of(options));
  }

  /** Handles messages of this type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(
      Class<T> type, BatchHandler<T> handler, HandlerOptions options) {
    return addBatch(type, HandlerSource.of(handler), options);
  }

  /** Handles messages of this generic type in batches. */
  public <T> InboxBuilder batchHandler(TypeReference<T> type, BatchHandler<T> handler) {
    return batchHandler(type, handler, HandlerOptions.defaults());
  }

  /** Handles messages of this generic type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(
      TypeReference<T> type, BatchHandler<T> handler, Consumer<HandlerOptions.Builder> options) {
    return batchHandler(type, handler, HandlerOptions.of(options));
  }

  /** Handles messages of this generic type in batches, with options of its own. */
  public <T> InboxBuilder batchHandler(
      TypeReference<T> type, BatchHandler<T> handler, HandlerOptions options) {
    return addBatch(type.type(), HandlerSource.of(handler), options);
  }

  /** Handles messages of this type in batches, by a class that the resolver supplies. */
  public <T> InboxBuilder batchHandler(Class<T> type, Class<? extends BatchHandler<T>> handler) {
    return batchHandler(type, handler, HandlerOptions.defaults());
  }

  /**
   * Handles messages of this type in batches, by a class that the resolver supplies; with options
   * of its own.
   */
  public <T> InboxBuilder batchHandler(
      Class<T> type,
      Class<? extends BatchHandler<T>> handler,
      Consumer<HandlerOptions.Builder> options) {
    return batchHandler(type, handler, HandlerOptions.of(options));
  }

  /**
   * Handles messages of this type in batches, by a class that the resolver supplies; with options
   * of its own.
   */
  public <T> InboxBuilder batchHandler(
      Class<T> type, Class<? extends BatchHandler<T>> handler, HandlerOptions options) {
    return addBatch(type, HandlerSource.of(handler), options);
  }

  /**
   * Handles every message one by one with its payload as it is stored, whatever its contract is:
   * for code that passes messages on and need not know their types. It is the only handler.
   */
  public InboxBuilder relay(Handler<Payload> relay) {
    return handler(Payload.class, relay);
  }

  /**
   * As {@link #relay}, in batches of messages that were leased together: contracts and groups are
   * mixed, the messages of one group are in order. A failure blocks its own group alone: the
   * group's later messages in the batch are redelivered, whatever the handler returned for them.
   */
  public InboxBuilder batchRelay(BatchHandler<Payload> relay) {
    return batchHandler(Payload.class, relay);
  }

  private <T> InboxBuilder addPayloadHandler(
      Type type, PayloadHandler<T> handler, HandlerOptions own) {
    Handler<T> adapted =
        delivery -> {
          handler.handle(delivery.payload());
          return Result.success();
        };
    return add(type, HandlerSource.of(adapted, handler.getClass()), own);
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
    return options == null ? InboxOptions.defaults() : options;
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
