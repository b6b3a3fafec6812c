package dev.mailroom.mediator;

/**
 * Says what is wrong with a message. All validators of a message run before anything else does; if
 * any of them rejected it, the caller gets one {@link InvalidRequestException} that names every
 * problem.
 *
 * @param <M> the messages it checks: this type and its subtypes
 */
@FunctionalInterface
public interface Validator<M> {

  /**
   * Calls {@link Validation#reject} once for every problem. May be called by several threads at
   * once.
   *
   * @throws Exception if it could not find out; goes to the error handlers like any other error
   */
  void validate(M message, Validation validation) throws Exception;
}
