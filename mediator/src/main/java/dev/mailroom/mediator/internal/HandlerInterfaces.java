package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.CommandHandler;
import dev.mailroom.mediator.ErrorHandler;
import dev.mailroom.mediator.EventHandler;
import dev.mailroom.mediator.HandlerDescription.Stage;
import dev.mailroom.mediator.MediatorHandler;
import dev.mailroom.mediator.MediatorHandlerOptions;
import dev.mailroom.mediator.PostHandler;
import dev.mailroom.mediator.PreHandler;
import dev.mailroom.mediator.QueryHandler;
import dev.mailroom.mediator.ResultCommandHandler;
import dev.mailroom.mediator.StreamQueryHandler;
import dev.mailroom.mediator.Validator;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The handler interfaces, and which of them a class implements for which messages. */
final class HandlerInterfaces {
  private static final Map<Class<?>, Stage> STAGES =
      Map.of(
          Validator.class, Stage.VALIDATOR,
          PreHandler.class, Stage.PRE_HANDLER,
          CommandHandler.class, Stage.HANDLER,
          ResultCommandHandler.class, Stage.HANDLER,
          QueryHandler.class, Stage.HANDLER,
          StreamQueryHandler.class, Stage.HANDLER,
          EventHandler.class, Stage.HANDLER,
          PostHandler.class, Stage.POST_HANDLER,
          ErrorHandler.class, Stage.ERROR_HANDLER);

  private HandlerInterfaces() {}

  static Stage stage(Class<?> role) {
    Stage stage = STAGES.get(role);
    if (stage == null) {
      throw new IllegalArgumentException(role.getName() + " is none of the handler interfaces.");
    }
    return stage;
  }

  /** Whether it implements any handler interface. */
  static boolean isHandler(Class<?> type) {
    return STAGES.keySet().stream().anyMatch(role -> role.isAssignableFrom(type));
  }

  /**
   * The handler interfaces that a class implements, each with its type of messages.
   *
   * @throws IllegalArgumentException if there is none, or the class does not say the type
   */
  static Map<Class<?>, Class<?>> of(Class<?> type) {
    Map<Class<?>, Class<?>> found = new LinkedHashMap<>();
    STAGES.keySet().stream()
        .filter(role -> role.isAssignableFrom(type))
        .forEach(role -> found.put(role, messageType(type, role)));
    if (found.isEmpty()) {
      List<String> names = STAGES.keySet().stream().map(Class::getSimpleName).sorted().toList();
      throw new IllegalArgumentException(
          type.getName() + " is not a handler: it implements none of " + names + ".");
    }
    return found;
  }

  private static Class<?> messageType(Class<?> type, Class<?> role) {
    Type argument =
        TypeArguments.first(type, role)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        type.getName()
                            + " does not say which messages it handles, as lambdas do not: give"
                            + " the type beside it."));
    if (TypeArguments.isNarrowerThanItsClass(argument)) {
      throw new IllegalArgumentException(
          type.getName()
              + " handles "
              + argument.getTypeName()
              + ", but at run time it would be given every "
              + TypeArguments.erase(argument).getName()
              + ": give that message a class of its own.");
    }
    return TypeArguments.erase(argument);
  }

  /** What the class says of itself with {@link MediatorHandler}. */
  static MediatorHandlerOptions options(Class<?> type) {
    MediatorHandler marker = type.getAnnotation(MediatorHandler.class);
    return marker == null
        ? MediatorHandlerOptions.defaults()
        : MediatorHandlerOptions.builder()
            .name(marker.name().isBlank() ? null : marker.name())
            .priority(marker.priority())
            .tags(marker.tags())
            .build();
  }
}
