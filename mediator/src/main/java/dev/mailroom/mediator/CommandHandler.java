package dev.mailroom.mediator;

/**
 * Does what a command without a result asks for.
 *
 * @param <C> the commands it handles: this type and its subtypes
 */
@FunctionalInterface
public interface CommandHandler<C extends Command> {

  /**
   * Does it. May be called by several threads at once.
   *
   * @throws Exception goes to the error handlers, and on to the caller unless one handled it
   */
  void handle(C command, ExecutionContext context) throws Exception;
}
