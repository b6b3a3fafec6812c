package dev.mailroom;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.internal.StorageRetries;
import dev.mailroom.internal.Uuid7;
import dev.mailroom.internal.engine.ChannelDefinition;
import dev.mailroom.internal.engine.Engine;
import dev.mailroom.internal.engine.EngineContext;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.internal.engine.Waker;
import dev.mailroom.internal.inbox.BatchProcessor;
import dev.mailroom.internal.inbox.Codecs;
import dev.mailroom.internal.inbox.Decoder;
import dev.mailroom.internal.inbox.HandlerRegistration;
import dev.mailroom.internal.inbox.HandlerRoutes;
import dev.mailroom.internal.inbox.InvocationContext;
import dev.mailroom.internal.inbox.SingleProcessor;
import dev.mailroom.internal.write.Appender;
import dev.mailroom.internal.write.CoalescingAppender;
import dev.mailroom.internal.write.MessageFactory;
import dev.mailroom.internal.write.RetryingAppender;
import dev.mailroom.internal.write.StoreAppender;
import dev.mailroom.internal.write.StoredChannel;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Store;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts a described mailroom together. */
final class Assembly {
  private final MailroomBuilder builder;
  private final Codecs codecs;
  private final EngineContext context;
  private final MessageFactory factory;
  private final Waker waker = new Waker();

  Assembly(MailroomBuilder builder) {
    this.builder = builder;
    this.codecs = new Codecs(builder.codecs());
    this.context =
        new EngineContext(
            builder.time(),
            builder.random(),
            builder.telemetry(),
            new StorageRetries(builder.storageRetry(), builder.random()),
            waker);
    this.factory =
        new MessageFactory(
            builder.contracts(),
            codecs,
            new Uuid7(builder.time(), builder.random()),
            builder.maximumPayload());
  }

  Mailroom assemble() {
    checkContracts();
    LifecycleLog log = new LifecycleLog();
    Map<String, StoredChannel> channels = new LinkedHashMap<>();
    Map<String, ChannelDefinition> lines = new LinkedHashMap<>();
    for (InboxBuilder description : builder.inboxes()) {
      InboxOptions options = description.options();
      Channel channel = new Channel(description.name(), options.ordering(), options.policy());
      Store store = builder.storeOf(description);
      description.handlers().forEach(handler -> check(description.name(), handler));
      description.batchHandlers().forEach(handler -> check(description.name(), handler));
      log.add(description, store);
      lines.put(
          channel.name(),
          new ChannelDefinition(channel, store, options, processor(channel, description)));
      channels.put(
          channel.name(),
          new StoredChannel(
              channel,
              store,
              factory,
              appender(channel, store, options.writing()),
              waker,
              builder.currentTransaction(),
              builder.telemetry()));
    }
    Engine engine = new Engine(lines, context, waker, builder.cleanUp());
    return new Mailroom(
        channels, lines, engine, builder.hooks(), new Decoder(builder.contracts(), codecs), log);
  }

  private void checkContracts() {
    for (Type type : builder.contracts().types()) {
      try {
        codecs.check(type);
      } catch (RuntimeException error) {
        throw new InvalidMessageException(
            "Contract " + builder.contracts().of(type) + " is refused: " + error.getMessage(),
            error);
      }
    }
  }

  private void check(String inbox, HandlerRegistration<?> handler) {
    Class<?> type = handler.source().type();
    try {
      if (type != null) {
        builder.resolver().check(type);
      }
      if (!handler.isRelay()) {
        codecs.check(handler.type());
      }
    } catch (RuntimeException error) {
      throw new MailroomException(
          "A handler of inbox '" + inbox + "' is refused: " + error.getMessage(), error);
    }
  }

  private Appender appender(Channel channel, Store store, InboxOptions.Writing writing) {
    Appender appender =
        new RetryingAppender(
            new StoreAppender(channel, store, waker), channel.name(), context.storageRetries());
    return writing.coalescing()
        ? new CoalescingAppender(appender, writing.batch(), writing.concurrency())
        : appender;
  }

  private @Nullable MessageProcessor processor(Channel channel, InboxBuilder description) {
    InboxOptions options = description.options();
    InvocationContext calling =
        InvocationContext.of(channel, options, codecs, builder.resolver(), context);
    if (!description.handlers().isEmpty()) {
      return new SingleProcessor(
          new HandlerRoutes<>(channel.name(), builder.contracts(), options, description.handlers()),
          calling);
    }
    if (!description.batchHandlers().isEmpty()) {
      return new BatchProcessor(
          channel,
          new HandlerRoutes<>(
              channel.name(), builder.contracts(), options, description.batchHandlers()),
          calling);
    }
    return null;
  }
}
