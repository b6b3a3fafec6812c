package dev.mailroom.mediator;

/** Gathers what validators say of one message. */
public interface Validation {

  /**
   * Notes a problem.
   *
   * @param what the part of the message that is wrong, such as a field's name
   * @param why what is wrong with it
   */
  void reject(String what, String why);

  /** The call that the message belongs to. */
  ExecutionContext context();
}
