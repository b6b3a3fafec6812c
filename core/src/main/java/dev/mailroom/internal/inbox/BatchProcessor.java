package dev.mailroom.internal.inbox;

import dev.mailroom.Batch;
import dev.mailroom.BatchHandler;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.internal.engine.GroupBlocking;
import dev.mailroom.internal.engine.HandlerInvocation;
import dev.mailroom.internal.engine.HandlerTransaction.End;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.internal.engine.TenantGroup;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Telemetry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes batches to handlers: of one contract, or mixed for a relay. */
public final class BatchProcessor implements MessageProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

  private static final Result MISSING_RESULT =
      Result.fail("The batch handler returned no result for the message.");

  private final Channel channel;
  private final HandlerRoutes<BatchHandler<?>> routes;
  private final InvocationContext context;

  /** For the handlers of one inbox. */
  public BatchProcessor(
      Channel channel, HandlerRoutes<BatchHandler<?>> routes, InvocationContext context) {
    this.channel = channel;
    this.routes = routes;
    this.context = context;
  }

  @Override
  public Batching batching() {
    return routes.isRelay() ? Batching.MIXED : Batching.PER_CONTRACT;
  }

  @Override
  public boolean timed() {
    return routes.timed();
  }

  @Override
  public Outcome handle(Message message, HandlerInvocation invocation) {
    return handleBatch(List.of(message), invocation).get(0);
  }

  @Override
  public List<Outcome> handleBatch(List<Message> messages, HandlerInvocation invocation) {
    HandlerRoute<BatchHandler<?>> route = routes.find(messages.get(0).contract());
    if (route == null) {
      return mapOutcomes(messages, message -> unroutable(message, invocation));
    }
    if (routes.isRelay()) {
      return relay(route, messages, invocation);
    }
    List<Delivery<Object>> deliveries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      try {
        Object payload = route.decode(message, context.codecs());
        deliveries.add(HandlerDelivery.of(invocation, payload, message));
      } catch (Exception | LinkageError | StackOverflowError error) {
        if (deliveries.isEmpty()) {
          return List.of(context.mapper().undecodable(route, message, error));
        }
        break; // The batch ends before it: within a group no message may overtake one that can park
        // it.
      }
    }
    Batch<Object> batch = new Batch<>(groupOf(messages), deliveries);
    List<Message> delivered = messages.subList(0, batch.size());
    Answer answer = callHandler(route, batch, delivered, invocation);
    List<Outcome> outcomes = mapOutcomes(delivered, answer.mapping());
    if (answer.isRolledBack()) {
      outcomes.replaceAll(outcome -> context.mapper().rolledBack(route, outcome));
    }
    return outcomes;
  }

  /** No payload is decoded, so the batch never ends early and every message gets an outcome. */
  private List<Outcome> relay(
      HandlerRoute<BatchHandler<?>> route, List<Message> messages, HandlerInvocation invocation) {
    List<Delivery<Object>> deliveries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      deliveries.add(HandlerDelivery.of(invocation, message.envelope().payload(), message));
    }
    Answer answer = callHandler(route, new Batch<>(null, deliveries), messages, invocation);
    List<Outcome> outcomes = new ArrayList<>(messages.size());
    Set<TenantGroup> blocked = new HashSet<>();
    for (Message message : messages) {
      TenantGroup group = TenantGroup.of(message, channel.ordering());
      if (group != null && blocked.contains(group)) {
        outcomes.add(context.mapper().released(route));
        continue;
      }
      Outcome outcome = answer.mapping().apply(message);
      outcome = answer.isRolledBack() ? context.mapper().rolledBack(route, outcome) : outcome;
      if (group != null && GroupBlocking.isBlockedBy(outcome, channel)) {
        blocked.add(group);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /**
   * The answer of a handler call.
   *
   * @param mapping maps each message to its outcome
   * @param isRolledBack whether the handler's transaction was rolled back, and with it every
   *     success
   */
  private record Answer(Function<Message, Outcome> mapping, boolean isRolledBack) {}

  /** The outcomes up to the first one that blocks the rest of its group. */
  private List<Outcome> mapOutcomes(List<Message> messages, Function<Message, Outcome> mapping) {
    List<Outcome> outcomes = new ArrayList<>(messages.size());
    boolean blocked = false;
    for (int i = 0; i < messages.size() && !blocked; i++) {
      Outcome outcome = mapping.apply(messages.get(i));
      outcomes.add(outcome);
      blocked = isOneGroup(messages) && GroupBlocking.isBlockedBy(outcome, channel);
    }
    return outcomes;
  }

  /** Whether the messages belong to one group, where one can block the rest. */
  private boolean isOneGroup(List<Message> messages) {
    return channel.ordering() != Ordering.NONE && messages.get(0).routing().groupKey() != null;
  }

  private Outcome unroutable(Message message, HandlerInvocation invocation) {
    return context
        .mapper()
        .unroutable(message, routes.missing(message.contract()), invocation.lease().leasedAt());
  }

  private @Nullable String groupOf(List<Message> messages) {
    return isOneGroup(messages) ? messages.get(0).routing().groupKey() : null;
  }

  private Answer callHandler(
      HandlerRoute<BatchHandler<?>> route,
      Batch<Object> batch,
      List<Message> messages,
      HandlerInvocation invocation) {
    Telemetry telemetry = context.engine().telemetry();
    long began = telemetry == Telemetry.NOOP ? 0 : context.engine().time().nanos();
    try (Telemetry.Scope scope =
        telemetry.open(Telemetry.Span.BATCH, route.tags(), traceOf(batch))) {
      BatchResult result = null;
      Throwable thrown = null;
      invocation.begin(route.timeout());
      try {
        result = route.source().call(context.resolver(), handler -> handle(handler, batch));
      } catch (Throwable error) {
        thrown = error;
      }
      HandlerInvocation.EndReason endReason = invocation.end();
      boolean isRolledBack = false;
      try {
        boolean succeeded = thrown == null && haveAllSucceeded(result, messages);
        isRolledBack = invocation.transaction().end(succeeded, messages) == End.ROLLED_BACK;
      } catch (RuntimeException | Error error) {
        thrown = error;
      }
      if (thrown == null) {
        AnswerContext answerContext =
            new AnswerContext(route, endReason, invocation.lease().leasedAt(), isRolledBack);
        return new Answer(answered(answerContext, batch, result), isRolledBack);
      }
      scope.failed(thrown);
      Throwable error = thrown;
      return new Answer(
          message -> context.mapper().threw(route, message, error, endReason), isRolledBack);
    } finally {
      if (telemetry != Telemetry.NOOP) {
        long took = context.engine().time().nanos() - began;
        telemetry.measure(Telemetry.Measure.HANDLER_DURATION, route.tags(), took);
      }
    }
  }

  /** A batch of one continues its message's trace; a larger one belongs to no single trace. */
  private static Trace traceOf(Batch<Object> batch) {
    return batch.size() == 1 ? batch.deliveries().get(0).message().envelope().trace() : Trace.NONE;
  }

  private static boolean haveAllSucceeded(@Nullable BatchResult result, List<Message> messages) {
    return result != null
        && (result.isAllSucceeded()
            || messages.stream().allMatch(message -> isSuccess(result.byId().get(message.id()))));
  }

  private static boolean isSuccess(@Nullable Result answer) {
    return answer != null && answer.isSuccess();
  }

  /** What maps the results of one call to outcomes. */
  private record AnswerContext(
      HandlerRoute<BatchHandler<?>> route,
      HandlerInvocation.EndReason endReason,
      Instant leasedAt,
      boolean isRolledBack) {

    Outcome mapOutcome(OutcomeMapper mapper, Message message, Result answer) {
      return isRolledBack && isSuccess(answer)
          ? Outcome.Completed.INSTANCE // not counted: it is rolled back
          : mapper.answered(route, message, answer, endReason, leasedAt);
    }
  }

  private Function<Message, Outcome> answered(
      AnswerContext answerContext, Batch<Object> batch, @Nullable BatchResult result) {
    OutcomeMapper mapper = context.mapper();
    if (result != null && result.isAllSucceeded()) {
      return message -> answerContext.mapOutcome(mapper, message, Result.success());
    }
    Map<UUID, Result> answers = result == null ? Map.of() : result.byId();
    reportUnknownIds(answerContext.route(), batch, answers.keySet());
    return message -> {
      Result answer = answers.get(message.id());
      return answerContext.mapOutcome(mapper, message, answer == null ? MISSING_RESULT : answer);
    };
  }

  private static void reportUnknownIds(
      HandlerRoute<BatchHandler<?>> route, Batch<Object> batch, Set<UUID> answered) {
    Set<UUID> unknown = new HashSet<>(answered);
    batch.deliveries().forEach(delivery -> unknown.remove(delivery.id()));
    if (!unknown.isEmpty()) {
      LOG.error(
          "Batch handler '{}' of channel '{}' answered for {} messages it was not given; these"
              + " answers are ignored",
          route.tags().handler(),
          route.tags().channel(),
          unknown.size());
    }
  }

  @SuppressWarnings("unchecked") // the route decodes what its handler was registered for
  private static BatchResult handle(BatchHandler<?> handler, Batch<Object> batch) throws Exception {
    return ((BatchHandler<Object>) handler).handle(batch);
  }
}
