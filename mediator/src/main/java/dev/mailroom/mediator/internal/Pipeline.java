package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.CallOptions;
import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.HandlerNotFoundException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Everything registered for one concrete type of messages. */
final class Pipeline {
  private final Class<?> type;
  private final MessageKind kind;
  private final Class<?> resultType;
  private final List<RegisteredHandler> handlers;
  private final HandlerSelection plain;

  Pipeline(Class<?> type, List<RegisteredHandler> registrations) {
    this.type = type;
    this.kind = MessageKind.of(type);
    this.resultType = kind.resultType(type);
    this.handlers =
        registrations.stream().filter(each -> each.messageType().isAssignableFrom(type)).toList();
    this.plain = new HandlerSelection(kind, selected(CallOptions.defaults()));
  }

  Class<?> type() {
    return type;
  }

  MessageKind kind() {
    return kind;
  }

  Class<?> resultType() {
    return resultType;
  }

  /** What runs for a call: made once for calls that select nothing, per call for others. */
  HandlerSelection selection(CallOptions options) {
    return options.tags().isEmpty() && options.filter() == null
        ? plain
        : new HandlerSelection(kind, selected(options));
  }

  /** Whether calls without tags find their handler, or all handlers there are wait for a tag. */
  boolean isHandled() {
    return plain.main != null
        || (!mains(handlers).isEmpty() && mains(selected(CallOptions.defaults())).isEmpty());
  }

  private List<RegisteredHandler> selected(CallOptions options) {
    Predicate<HandlerDescription> filter = options.filter();
    return handlers.stream()
        .filter(each -> isTagged(each.description().tags(), options.tags()))
        .filter(each -> filter == null || filter.test(each.description()))
        .toList();
  }

  private static boolean isTagged(Set<String> handler, Set<String> call) {
    return handler.isEmpty() || !Collections.disjoint(handler, call);
  }

  /** Why a selection has no main handler. */
  HandlerNotFoundException notFound(CallOptions options) {
    List<RegisteredHandler> mains = mains(handlers);
    List<RegisteredHandler> candidates = HandlerSelection.mostSpecific(mains(selected(options)));
    String message;
    if (!candidates.isEmpty()) {
      message = several(candidates);
    } else if (!mains.isEmpty()) {
      message = noneSelected(mains, options);
    } else {
      message =
          "No handler for "
              + type.getName()
              + ", which is "
              + kind.words()
              + ": register a "
              + kind.handler().getSimpleName()
              + " for it.";
    }
    return new HandlerNotFoundException(
        message, candidates.stream().map(RegisteredHandler::description).toList());
  }

  private List<RegisteredHandler> mains(List<RegisteredHandler> among) {
    return among.stream().filter(each -> each.role() == kind.handler()).toList();
  }

  private String several(List<RegisteredHandler> candidates) {
    return "Several handlers for "
        + type.getName()
        + ", which needs exactly one: "
        + names(candidates)
        + ". Remove all but one, or give them tags that no call has together.";
  }

  private String noneSelected(List<RegisteredHandler> mains, CallOptions options) {
    return "No handler for "
        + type.getName()
        + " with the call's tags "
        + options.tags()
        + (options.filter() == null ? "" : " and its filter")
        + "; without them there is: "
        + names(mains)
        + ".";
  }

  static String names(List<RegisteredHandler> registrations) {
    return registrations.stream()
        .map(each -> each.name() + tags(each.description().tags()))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String tags(Set<String> tags) {
    return tags.isEmpty() ? "" : " " + tags;
  }
}
