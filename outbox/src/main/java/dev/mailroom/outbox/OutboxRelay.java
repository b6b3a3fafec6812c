package dev.mailroom.outbox;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.InboxBuilder;
import dev.mailroom.InboxOptions;
import dev.mailroom.Result;
import dev.mailroom.messages.Payload;
import dev.mailroom.outbox.spi.BatchDispatcher;
import dev.mailroom.outbox.spi.Dispatcher;
import dev.mailroom.outbox.spi.OutboxMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands the messages of an outbox's channel to its dispatcher. */
final class OutboxRelay {
  private final Dispatcher dispatcher;
  private final Function<Payload, Object> decoder;

  OutboxRelay(Dispatcher dispatcher, Function<Payload, Object> decoder) {
    this.dispatcher = dispatcher;
    this.decoder = decoder;
  }

  void describe(InboxBuilder inbox, InboxOptions options) {
    if (dispatcher instanceof BatchDispatcher batched) {
      inbox.batchRelay(batch -> relayAll(batched, batch));
    } else if (dispatcher instanceof CompositeDispatcher composite && composite.isBatched()) {
      CompositeBatch rounds = new CompositeBatch(composite, options);
      inbox.batchRelay(batch -> relayAll(rounds, batch));
    } else {
      inbox.relay(this::relay);
    }
  }

  private Result relay(Delivery<Payload> delivery) throws Exception {
    return dispatcher.dispatch(new OutboxMessage(delivery.message(), decoder));
  }

  private BatchResult relayAll(BatchDispatcher batched, Batch<Payload> batch) throws Exception {
    List<OutboxMessage> messages = new ArrayList<>(batch.size());
    for (Delivery<Payload> delivery : batch.deliveries()) {
      messages.add(new OutboxMessage(delivery.message(), decoder));
    }
    List<@Nullable Result> answers =
        DispatchResults.completed(messages, DispatchResults.of(batched, messages));
    BatchResult results = batch.results();
    boolean allSucceeded = true;
    for (int i = 0; i < messages.size(); i++) {
      Result answer = answers.get(i);
      allSucceeded &= answer != null && answer.isSuccess();
      if (answer != null) {
        results.add(messages.get(i).id(), answer);
      }
    }
    return allSucceeded ? batch.allSucceeded() : results;
  }
}
