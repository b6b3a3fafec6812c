package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.HandlerDescription.Stage;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that run for one message type and one set of call options, in order. Arrays, because
 * every call walks them.
 */
final class HandlerSelection {
  final RegisteredHandler[] validators;
  final RegisteredHandler[] before;

  /** The one handler, or null if there is not exactly one; events have several instead. */
  final @Nullable RegisteredHandler main;

  final RegisteredHandler[] listeners;
  final RegisteredHandler[] after;
  final RegisteredHandler[] onError;

  /** From handlers in the order of their registration. */
  HandlerSelection(MessageKind kind, List<RegisteredHandler> handlers) {
    validators = select(handlers, each -> each.stage() == Stage.VALIDATOR);
    before = select(handlers, each -> each.stage() == Stage.PRE_HANDLER);
    RegisteredHandler[] mains = select(handlers, each -> each.role() == kind.handler());
    listeners = kind == MessageKind.EVENT ? mains : new RegisteredHandler[0];
    List<RegisteredHandler> chosen =
        kind == MessageKind.EVENT ? List.of() : mostSpecific(List.of(mains));
    main = chosen.size() == 1 ? chosen.get(0) : null;
    after = select(handlers, each -> each.stage() == Stage.POST_HANDLER);
    onError = select(handlers, each -> each.stage() == Stage.ERROR_HANDLER);
  }

  /**
   * As an overriding method hides the overridden one, a handler for a subtype hides handlers for
   * its supertypes.
   */
  static List<RegisteredHandler> mostSpecific(List<RegisteredHandler> candidates) {
    return candidates.stream()
        .filter(each -> candidates.stream().noneMatch(other -> isBelow(other, each)))
        .toList();
  }

  private static boolean isBelow(RegisteredHandler one, RegisteredHandler other) {
    return one.messageType() != other.messageType()
        && other.messageType().isAssignableFrom(one.messageType());
  }

  /** The sort is stable: equal priorities stay as registered. */
  private static RegisteredHandler[] select(
      List<RegisteredHandler> from, Predicate<RegisteredHandler> which) {
    return from.stream()
        .filter(which)
        .sorted(Comparator.comparingInt(RegisteredHandler::priority))
        .toArray(RegisteredHandler[]::new);
  }
}
