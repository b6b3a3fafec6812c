package dev.mailroom.processes;

/**
 * One step of a process: what a message does to an instance.
 *
 * @param <S> the process's state
 * @param <M> the message
 */
@FunctionalInterface
public interface StepHandler<S, M> {

  /**
   * Returns the instance's new state. Everything it asks the step for, the new state and the
   * completion of the message are committed together when it returns, or nothing is: if it throws,
   * the message is retried like any other. It is called again with the current state if another
   * worker has changed the instance meanwhile, so it must have no side effects of its own.
   *
   * @param step the instance as it is, and what can be asked for
   * @throws Exception nothing is stored
   */
  S handle(Step<S> step, M message) throws Exception;
}
