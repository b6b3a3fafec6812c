package dev.mailroom.mediator;

import java.util.Set;

/**
 * A registered handler, as filters see it and errors name it.
 *
 * @param name its name: as given, or its class and message type
 * @param stage when it runs
 * @param messageType the type of messages that it was registered for; subtypes are included
 * @param priority handlers of a stage run from low to high
 * @param tags the tags of which a call must have one; empty for handlers that always run
 */
public record HandlerDescription(
    String name, Stage stage, Class<?> messageType, int priority, Set<String> tags) {

  /** The stages of the pipeline, in order. */
  public enum Stage {
    /** {@link Validator}. */
    VALIDATOR,
    /** {@link PreHandler}. */
    PRE_HANDLER,
    /** The handler of a command, a query or an event. */
    HANDLER,
    /** {@link PostHandler}. */
    POST_HANDLER,
    /** {@link ErrorHandler}. */
    ERROR_HANDLER
  }
}
