package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.HandlerDescription;
import dev.mailroom.mediator.HandlerDescription.Stage;
import dev.mailroom.mediator.MediatorHandlerOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One handler in one stage, for one type of messages and its subtypes. */
public final class RegisteredHandler {
  private final HandlerDescription description;
  private final Class<?> role;
  private final @Nullable Object instance;
  private final @Nullable Class<?> resolved;

  private RegisteredHandler(
      Class<?> role,
      Class<?> messageType,
      MediatorHandlerOptions options,
      @Nullable Object instance,
      @Nullable Class<?> resolved) {
    this.role = role;
    this.instance = instance;
    this.resolved = resolved;
    Class<?> type =
        resolved == null ? Objects.requireNonNull(instance, "handler").getClass() : resolved;
    String given = options.name();
    String name =
        given == null || given.isBlank() ? defaultName(type, role, messageType) : given.strip();
    this.description =
        new HandlerDescription(
            name, HandlerInterfaces.stage(role), messageType, options.priority(), options.tags());
  }

  /** A handler that is there already. */
  public static RegisteredHandler of(
      Class<?> role, Class<?> messageType, Object handler, MediatorHandlerOptions options) {
    return new RegisteredHandler(role, messageType, options, handler, null);
  }

  /** A handler that the resolver supplies for each call. */
  static RegisteredHandler resolved(
      Class<?> role, Class<?> messageType, Class<?> handler, MediatorHandlerOptions options) {
    return new RegisteredHandler(role, messageType, options, null, handler);
  }

  /** The class of a lambda says nothing to people, the interface and the message type do. */
  private static String defaultName(Class<?> type, Class<?> role, Class<?> messageType) {
    return type.isSynthetic() || type.isHidden()
        ? role.getSimpleName() + " of " + messageType.getName()
        : type.getName();
  }

  HandlerDescription description() {
    return description;
  }

  /** The handler interface that it fills. */
  Class<?> role() {
    return role;
  }

  Stage stage() {
    return description.stage();
  }

  Class<?> messageType() {
    return description.messageType();
  }

  int priority() {
    return description.priority();
  }

  String name() {
    return description.name();
  }

  /** The handler for one call. */
  Object handler(Execution execution) {
    Object ready = instance;
    return ready != null ? ready : execution.resolve(Objects.requireNonNull(resolved));
  }
}
