package dev.mailroom.internal.inbox;

import dev.mailroom.Batch;
import dev.mailroom.BatchHandler;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Message;
import dev.mailroom.Ordering;
import dev.mailroom.Result;
import dev.mailroom.Trace;
import dev.mailroom.internal.engine.Call;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Telemetry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands messages of one contract to a handler together. */
public final class BatchProcessor implements MessageProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

  private final Ordering ordering;
  private final Routes<BatchHandler<?>> routes;
  private final Calling calling;

  /** For the handlers of one inbox. */
  public BatchProcessor(Ordering ordering, Routes<BatchHandler<?>> routes, Calling calling) {
    this.ordering = ordering;
    this.routes = routes;
    this.calling = calling;
  }

  @Override
  public boolean batched() {
    return true;
  }

  @Override
  public boolean timed() {
    return routes.timed();
  }

  @Override
  public Outcome handle(Message message, Call call) {
    return handleBatch(List.of(message), call).get(0);
  }

  @Override
  public List<Outcome> handleBatch(List<Message> messages, Call call) {
    Outcome[] outcomes = new Outcome[messages.size()];
    Route<BatchHandler<?>> route = routes.find(messages.get(0).contract());
    if (route == null) {
      for (int i = 0; i < outcomes.length; i++) {
        Message message = messages.get(i);
        outcomes[i] =
            calling
                .verdicts()
                .unroutable(message, routes.missing(message.contract()), call.lease().leasedAt());
      }
    } else {
      callHandler(route, messages, call, outcomes);
    }
    return Arrays.asList(outcomes);
  }

  private void callHandler(
      Route<BatchHandler<?>> route, List<Message> messages, Call call, Outcome[] outcomes) {
    List<Delivery<Object>> deliveries = decode(route, messages, call, outcomes);
    if (deliveries.isEmpty()) {
      return;
    }
    Telemetry telemetry = calling.context().telemetry();
    long began = telemetry == Telemetry.NONE ? 0 : calling.context().time().nanos();
    try (Telemetry.Scope scope =
        telemetry.open(Telemetry.Span.BATCH, route.tags(), traceOf(deliveries))) {
      Batch<Object> batch = new Batch<>(groupOf(deliveries), deliveries);
      BatchResult result = null;
      Throwable thrown = null;
      call.begin(route.timeout());
      try {
        result = route.source().call(calling.resolver(), handler -> handle(handler, batch));
      } catch (Throwable error) {
        thrown = error;
      }
      Call.Ending ending = call.end();
      if (thrown == null) {
        answered(route, messages, result, ending, outcomes);
      } else {
        scope.failed(thrown);
        threw(route, messages, thrown, ending, outcomes);
      }
    } finally {
      if (telemetry != Telemetry.NONE) {
        long took = calling.context().time().nanos() - began;
        telemetry.measure(Telemetry.Measure.HANDLER_DURATION, route.tags(), took);
      }
    }
  }

  /** What can be decoded; what cannot gets its outcome here and is left out of the batch. */
  private List<Delivery<Object>> decode(
      Route<BatchHandler<?>> route, List<Message> messages, Call call, Outcome[] outcomes) {
    List<Delivery<Object>> deliveries = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      try {
        Object payload = route.decode(message, calling.codecs());
        deliveries.add(new Handed(payload, message, call.lease()));
      } catch (Exception | LinkageError | StackOverflowError error) {
        outcomes[i] = calling.verdicts().undecodable(route, message, error);
      }
    }
    return deliveries;
  }

  private @Nullable String groupOf(List<Delivery<Object>> deliveries) {
    return ordering == Ordering.NONE ? null : deliveries.get(0).groupKey();
  }

  /** A batch of one continues its message's trace; a larger one belongs to no single trace. */
  private static Trace traceOf(List<Delivery<Object>> deliveries) {
    return deliveries.size() == 1 ? deliveries.get(0).message().envelope().trace() : Trace.NONE;
  }

  private void answered(
      Route<BatchHandler<?>> route,
      List<Message> messages,
      @Nullable BatchResult result,
      Call.Ending ending,
      Outcome[] outcomes) {
    Map<UUID, Result> answers = result == null ? Map.of() : result.byId();
    boolean all = result != null && result.isAllSucceeded();
    int used = 0;
    for (int i = 0; i < outcomes.length; i++) {
      Message message = messages.get(i);
      if (outcomes[i] == null) {
        Result answer = all ? Result.success() : answers.get(message.id());
        used += answer == null ? 0 : 1;
        Result counted =
            answer == null ? Result.failed("The batch handler left it out of its answer.") : answer;
        outcomes[i] = calling.verdicts().answered(route, message, counted, ending);
      }
    }
    if (!all && used < answers.size()) {
      LOG.error(
          "Batch handler '{}' of channel '{}' answered for {} messages it was not given; these"
              + " answers are ignored",
          route.tags().handler(),
          route.tags().channel(),
          answers.size() - used);
    }
  }

  private void threw(
      Route<BatchHandler<?>> route,
      List<Message> messages,
      Throwable error,
      Call.Ending ending,
      Outcome[] outcomes) {
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == null) {
        outcomes[i] = calling.verdicts().threw(route, messages.get(i), error, ending);
      }
    }
  }

  @SuppressWarnings("unchecked") // the route decodes what its handler was registered for
  private static BatchResult handle(BatchHandler<?> handler, Batch<Object> batch) throws Exception {
    return ((BatchHandler<Object>) handler).handle(batch);
  }
}
