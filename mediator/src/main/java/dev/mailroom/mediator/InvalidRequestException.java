package dev.mailroom.mediator;

import dev.mailroom.errors.MailroomException;
import java.util.List;

/** Validators rejected a message; the text names every problem. */
public final class InvalidRequestException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** Reports what is wrong with a message of that type. */
  public InvalidRequestException(Class<?> type, List<Problem> problems) {
    super(type.getName() + ": " + describe(problems));
    this.problems = List.copyOf(problems);
  }

  /** Every problem, in the order found. */
  public List<Problem> problems() {
    return problems;
  }

  private static String describe(List<Problem> problems) {
    return String.join(
        "; ", problems.stream().map(each -> each.what() + " " + each.why()).toList());
  }

  /**
   * One thing that is wrong.
   *
   * @param what the part of the message that is wrong
   * @param why what is wrong with it
   */
  public record Problem(String what, String why) {}
}
