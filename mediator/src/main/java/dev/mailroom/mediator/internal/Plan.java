package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.HandlerDescription.Stage;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that run for one type of messages in one way of calling, in order. Arrays, because
 * every call walks them.
 */
final class Plan {
  final Registration[] validators;
  final Registration[] before;

  /** The one handler, or null if there is not exactly one; events have several instead. */
  final @Nullable Registration main;

  final Registration[] listeners;
  final Registration[] after;
  final Registration[] onError;

  /** From handlers in the order of their registration. */
  Plan(MessageKind kind, List<Registration> handlers) {
    validators = select(handlers, each -> each.stage() == Stage.VALIDATOR);
    before = select(handlers, each -> each.stage() == Stage.PRE_HANDLER);
    Registration[] mains = select(handlers, each -> each.role() == kind.handler());
    listeners = kind == MessageKind.EVENT ? mains : new Registration[0];
    List<Registration> chosen =
        kind == MessageKind.EVENT ? List.of() : mostSpecific(List.of(mains));
    main = chosen.size() == 1 ? chosen.get(0) : null;
    after = select(handlers, each -> each.stage() == Stage.POST_HANDLER);
    onError = select(handlers, each -> each.stage() == Stage.ERROR_HANDLER);
  }

  /**
   * As an overriding method hides the one above it, a handler for a subtype hides those for the
   * types above.
   */
  static List<Registration> mostSpecific(List<Registration> candidates) {
    return candidates.stream()
        .filter(each -> candidates.stream().noneMatch(other -> isBelow(other, each)))
        .toList();
  }

  private static boolean isBelow(Registration one, Registration other) {
    return one.messageType() != other.messageType()
        && other.messageType().isAssignableFrom(one.messageType());
  }

  /** The sort is stable: equal priorities stay as registered. */
  private static Registration[] select(List<Registration> from, Predicate<Registration> which) {
    return from.stream()
        .filter(which)
        .sorted(Comparator.comparingInt(Registration::priority))
        .toArray(Registration[]::new);
  }
}
