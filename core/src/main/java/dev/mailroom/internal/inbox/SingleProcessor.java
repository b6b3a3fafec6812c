package dev.mailroom.internal.inbox;

import dev.mailroom.Delivery;
import dev.mailroom.Handler;
import dev.mailroom.Result;
import dev.mailroom.internal.engine.HandlerInvocation;
import dev.mailroom.internal.engine.HandlerTransaction.End;
import dev.mailroom.internal.engine.MessageProcessor;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Telemetry;
import java.time.Instant;
import java.util.List;

/** Passes messages to handlers one by one. */
public final class SingleProcessor implements MessageProcessor {
  private final HandlerRoutes<Handler<?>> routes;
  private final InvocationContext context;

  /** For the handlers of one inbox. */
  public SingleProcessor(HandlerRoutes<Handler<?>> routes, InvocationContext context) {
    this.routes = routes;
    this.context = context;
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
  public List<Outcome> handleBatch(List<Message> messages, HandlerInvocation invocation) {
    throw new UnsupportedOperationException("Messages are handled one by one here.");
  }

  @Override
  public Outcome handle(Message message, HandlerInvocation invocation) {
    OutcomeMapper mapper = context.mapper();
    HandlerRoute<Handler<?>> route = routes.find(message.contract());
    if (route == null) {
      return mapper.unroutable(
          message, routes.missing(message.contract()), invocation.lease().leasedAt());
    }
    Object payload;
    try {
      payload = route.decode(message, context.codecs());
    } catch (Exception | LinkageError | StackOverflowError error) {
      return mapper.undecodable(route, message, error);
    }
    return call(route, HandlerDelivery.of(invocation, payload, message), invocation);
  }

  private Outcome call(
      HandlerRoute<Handler<?>> route, HandlerDelivery delivery, HandlerInvocation invocation) {
    Telemetry telemetry = context.engine().telemetry();
    Message message = delivery.message();
    long began = telemetry == Telemetry.NOOP ? 0 : context.engine().time().nanos();
    try (Telemetry.Scope scope =
        telemetry.open(Telemetry.Span.HANDLE, route.tags(), message.envelope().trace())) {
      Result result = null;
      Throwable thrown = null;
      invocation.begin(route.timeout());
      try {
        result = route.source().call(context.resolver(), handler -> handle(handler, delivery));
      } catch (Throwable error) {
        thrown = error;
      }
      HandlerInvocation.EndReason endReason = invocation.end();
      boolean succeeded = thrown == null && result != null && result.isSuccess();
      try {
        End end = invocation.transaction().end(succeeded, List.of(message));
        if (succeeded && end == End.ROLLED_BACK) {
          return context.mapper().rolledBack(route, Outcome.Completed.INSTANCE);
        }
      } catch (RuntimeException | Error error) {
        thrown = error;
      }
      if (thrown == null) {
        Instant leasedAt = invocation.lease().leasedAt();
        return context.mapper().answered(route, message, result, endReason, leasedAt);
      }
      scope.failed(thrown);
      return context.mapper().threw(route, message, thrown, endReason);
    } finally {
      if (telemetry != Telemetry.NOOP) {
        long took = context.engine().time().nanos() - began;
        telemetry.measure(Telemetry.Measure.HANDLER_DURATION, route.tags(), took);
      }
    }
  }

  @SuppressWarnings("unchecked") // the route decodes what its handler was registered for
  private static Result handle(Handler<?> handler, Delivery<?> delivery) throws Exception {
    return ((Handler<Object>) handler).handle((Delivery<Object>) delivery);
  }
}
