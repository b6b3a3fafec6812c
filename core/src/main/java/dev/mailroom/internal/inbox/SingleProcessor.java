package dev.mailroom.internal.inbox;

import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.Result;
import dev.mailroom.internal.engine.Call;
import dev.mailroom.internal.engine.HandlerTransaction.End;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Telemetry;
import java.time.Instant;
import java.util.List;

/** Hands messages to handlers one by one. */
public final class SingleProcessor implements MessageProcessor {
  private final Routes<Handler<?>> routes;
  private final Calling calling;

  /** For the handlers of one inbox. */
  public SingleProcessor(Routes<Handler<?>> routes, Calling calling) {
    this.routes = routes;
    this.calling = calling;
  }

  @Override
  public Batching batching() {
    return Batching.NONE;
  }

  @Override
  public boolean timed() {
    return routes.timed();
  }

  @Override
  public List<Outcome> handleBatch(List<Message> messages, Call call) {
    throw new UnsupportedOperationException("Messages are handled one by one here.");
  }

  @Override
  public Outcome handle(Message message, Call call) {
    Verdicts verdicts = calling.verdicts();
    Route<Handler<?>> route = routes.find(message.contract());
    if (route == null) {
      return verdicts.unroutable(
          message, routes.missing(message.contract()), call.lease().leasedAt());
    }
    Object payload;
    try {
      payload = route.decode(message, calling.codecs());
    } catch (Exception | LinkageError | StackOverflowError error) {
      return verdicts.undecodable(route, message, error);
    }
    return call(route, Handed.by(call, payload, message), call);
  }

  private Outcome call(Route<Handler<?>> route, Handed delivery, Call call) {
    Telemetry telemetry = calling.context().telemetry();
    Message message = delivery.message();
    long began = telemetry == Telemetry.NOOP ? 0 : calling.context().time().nanos();
    try (Telemetry.Scope scope =
        telemetry.open(Telemetry.Span.HANDLE, route.tags(), message.envelope().trace())) {
      Result result = null;
      Throwable thrown = null;
      call.begin(route.timeout());
      try {
        result = route.source().call(calling.resolver(), handler -> handle(handler, delivery));
      } catch (Throwable error) {
        thrown = error;
      }
      Call.Ending ending = call.end();
      boolean succeeded = thrown == null && result != null && result.isSuccess();
      try {
        End end = call.transaction().end(succeeded, List.of(message));
        if (succeeded && end == End.ROLLED_BACK) {
          return calling.verdicts().undone(route, Outcome.Completed.INSTANCE);
        }
      } catch (RuntimeException | Error error) {
        thrown = error;
      }
      if (thrown == null) {
        Instant leasedAt = call.lease().leasedAt();
        return calling.verdicts().answered(route, message, result, ending, leasedAt);
      }
      scope.failed(thrown);
      return calling.verdicts().threw(route, message, thrown, ending);
    } finally {
      if (telemetry != Telemetry.NOOP) {
        long took = calling.context().time().nanos() - began;
        telemetry.measure(Telemetry.Measure.HANDLER_DURATION, route.tags(), took);
      }
    }
  }

  @SuppressWarnings("unchecked") // the route decodes what its handler was registered for
  private static Result handle(Handler<?> handler, Delivery<?> delivery) throws Exception {
    return ((Handler<Object>) handler).handle((Delivery<Object>) delivery);
  }
}
