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
   * Answers the instance's new state. Everything it asks the step for, the new state and the
   * completion of the message are stored together when it returns, or nothing is: if it throws, the
   * message is tried again like any other. It is called again from a fresh copy if somebody else
   * has changed the instance meanwhile, so it does nothing but decide.
   *
   * @param step the instance as it is, and what can be asked for
   * @throws Exception leaves no trace
   */
  S handle(Step<S> step, M message) throws Exception;
}
