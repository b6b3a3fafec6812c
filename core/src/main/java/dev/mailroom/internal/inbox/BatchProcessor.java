package dev.mailroom.internal.inbox;

import dev.mailroom.Batch;
import dev.mailroom.BatchHandler;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.internal.engine.Call;
import dev.mailroom.internal.engine.Group;
import dev.mailroom.internal.engine.HandlerTransaction.End;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.internal.engine.Turn;
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

/** Hands messages of one contract to a handler together, or messages of any to a relay. */
public final class BatchProcessor implements MessageProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

  private static final Result LEFT_OUT =
      Result.fail("The batch handler left it out of its answer.");

  private final Channel channel;
  private final Routes<BatchHandler<?>> routes;
  private final Calling calling;

  /** For the handlers of one inbox. */
  public BatchProcessor(Channel channel, Routes<BatchHandler<?>> routes, Calling calling) {
    this.channel = channel;
    this.routes = routes;
    this.calling = calling;
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
  public Outcome handle(Message message, Call call) {
    return handleBatch(List.of(message), call).get(0);
  }

  @Override
  public List<Outcome> handleBatch(List<Message> messages, Call call) {
    Route<BatchHandler<?>> route = routes.find(messages.get(0).contract());
    if (route == null) {
      return judge(messages, message -> unroutable(message, call));
    }
    if (routes.isRelay()) {
      return relay(route, messages, call);
    }
    List<Delivery<Object>> deliveries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      try {
        Object payload = route.decode(message, calling.codecs());
        deliveries.add(Handed.by(call, payload, message));
      } catch (Exception | LinkageError | StackOverflowError error) {
        if (deliveries.isEmpty()) {
          return List.of(calling.verdicts().undecodable(route, message, error));
        }
        break; // The batch ends before it: in a group nothing may go past what can park it.
      }
    }
    Batch<Object> batch = new Batch<>(groupOf(messages), deliveries);
    List<Message> handed = messages.subList(0, batch.size());
    Answer answer = callHandler(route, batch, handed, call);
    List<Outcome> outcomes = judge(handed, answer.verdict());
    if (answer.isUndone()) {
      outcomes.replaceAll(outcome -> calling.verdicts().undone(route, outcome));
    }
    return outcomes;
  }

  /** Nothing is decoded, so nothing can end the batch early, and every message is answered for. */
  private List<Outcome> relay(Route<BatchHandler<?>> route, List<Message> messages, Call call) {
    List<Delivery<Object>> deliveries = new ArrayList<>(messages.size());
    for (Message message : messages) {
      deliveries.add(Handed.by(call, message.envelope().payload(), message));
    }
    Answer answer = callHandler(route, new Batch<>(null, deliveries), messages, call);
    List<Outcome> outcomes = new ArrayList<>(messages.size());
    Set<Group> heldUp = new HashSet<>();
    for (Message message : messages) {
      Group group = Group.of(message, channel.ordering());
      if (group != null && heldUp.contains(group)) {
        outcomes.add(calling.verdicts().released(route));
        continue;
      }
      Outcome outcome = answer.verdict().apply(message);
      outcome = answer.isUndone() ? calling.verdicts().undone(route, outcome) : outcome;
      if (group != null && Turn.isHeldUpBy(outcome, channel)) {
        heldUp.add(group);
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  /**
   * What a call of the handler came to.
   *
   * @param verdict judges each message
   * @param isUndone whether the handler's transaction was rolled back, and every success with it
   */
  private record Answer(Function<Message, Outcome> verdict, boolean isUndone) {}

  /** The outcomes up to the first one that holds up the rest; nothing is known of those behind. */
  private List<Outcome> judge(List<Message> messages, Function<Message, Outcome> verdict) {
    List<Outcome> outcomes = new ArrayList<>(messages.size());
    boolean heldUp = false;
    for (int i = 0; i < messages.size() && !heldUp; i++) {
      Outcome outcome = verdict.apply(messages.get(i));
      outcomes.add(outcome);
      heldUp = isTurn(messages) && Turn.isHeldUpBy(outcome, channel);
    }
    return outcomes;
  }

  /** Whether the messages are the turn of a group, where one can hold up the rest. */
  private boolean isTurn(List<Message> messages) {
    return channel.ordering() != Ordering.NONE && messages.get(0).routing().groupKey() != null;
  }

  private Outcome unroutable(Message message, Call call) {
    return calling
        .verdicts()
        .unroutable(message, routes.missing(message.contract()), call.lease().leasedAt());
  }

  private @Nullable String groupOf(List<Message> messages) {
    return isTurn(messages) ? messages.get(0).routing().groupKey() : null;
  }

  private Answer callHandler(
      Route<BatchHandler<?>> route, Batch<Object> batch, List<Message> messages, Call call) {
    Telemetry telemetry = calling.context().telemetry();
    long began = telemetry == Telemetry.NOOP ? 0 : calling.context().time().nanos();
    try (Telemetry.Scope scope =
        telemetry.open(Telemetry.Span.BATCH, route.tags(), traceOf(batch))) {
      BatchResult result = null;
      Throwable thrown = null;
      call.begin(route.timeout());
      try {
        result = route.source().call(calling.resolver(), handler -> handle(handler, batch));
      } catch (Throwable error) {
        thrown = error;
      }
      Call.Ending ending = call.end();
      boolean isUndone = false;
      try {
        boolean succeeded = thrown == null && haveAllSucceeded(result, messages);
        isUndone = call.transaction().end(succeeded, messages) == End.ROLLED_BACK;
      } catch (RuntimeException | Error error) {
        thrown = error;
      }
      if (thrown == null) {
        Judging judging = new Judging(route, ending, call.lease().leasedAt(), isUndone);
        return new Answer(answered(judging, batch, result), isUndone);
      }
      scope.failed(thrown);
      Throwable error = thrown;
      return new Answer(
          message -> calling.verdicts().threw(route, message, error, ending), isUndone);
    } finally {
      if (telemetry != Telemetry.NOOP) {
        long took = calling.context().time().nanos() - began;
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

  /** What a call's answers are judged by. */
  private record Judging(
      Route<BatchHandler<?>> route, Call.Ending ending, Instant leasedAt, boolean isUndone) {

    Outcome judge(Verdicts verdicts, Message message, Result answer) {
      return isUndone && isSuccess(answer)
          ? Outcome.Completed.INSTANCE // not counted as such: it will be undone
          : verdicts.answered(route, message, answer, ending, leasedAt);
    }
  }

  private Function<Message, Outcome> answered(
      Judging judging, Batch<Object> batch, @Nullable BatchResult result) {
    Verdicts verdicts = calling.verdicts();
    if (result != null && result.isAllSucceeded()) {
      return message -> judging.judge(verdicts, message, Result.success());
    }
    Map<UUID, Result> answers = result == null ? Map.of() : result.byId();
    refuseStrangers(judging.route(), batch, answers.keySet());
    return message -> {
      Result answer = answers.get(message.id());
      return judging.judge(verdicts, message, answer == null ? LEFT_OUT : answer);
    };
  }

  private static void refuseStrangers(
      Route<BatchHandler<?>> route, Batch<Object> batch, Set<UUID> answered) {
    Set<UUID> strangers = new HashSet<>(answered);
    batch.deliveries().forEach(delivery -> strangers.remove(delivery.id()));
    if (!strangers.isEmpty()) {
      LOG.error(
          "Batch handler '{}' of channel '{}' answered for {} messages it was not given; these"
              + " answers are ignored",
          route.tags().handler(),
          route.tags().channel(),
          strangers.size());
    }
  }

  @SuppressWarnings("unchecked") // the route decodes what its handler was registered for
  private static BatchResult handle(BatchHandler<?> handler, Batch<Object> batch) throws Exception {
    return ((BatchHandler<Object>) handler).handle(batch);
  }
}
