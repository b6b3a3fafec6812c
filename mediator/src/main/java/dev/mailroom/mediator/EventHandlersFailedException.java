package dev.mailroom.mediator;

import dev.mailroom.errors.MailroomException;
import java.util.List;

/**
 * Handlers of an event failed while the others went on. Its cause is the first error; the others
 * are suppressed in it.
 */
public final class EventHandlersFailedException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient List<Failure> failures;

  /** Reports the failures, of which there is at least one. */
  public EventHandlersFailedException(Class<?> type, List<Failure> failures) {
    super(describe(type, failures), failures.get(0).error());
    this.failures = List.copyOf(failures);
    failures.stream().skip(1).forEach(each -> addSuppressed(each.error()));
  }

  /** Every failure, in the order of the handlers. */
  public List<Failure> failures() {
    return failures;
  }

  private static String describe(Class<?> type, List<Failure> failures) {
    return failures.size()
        + " handlers of "
        + type.getName()
        + " failed: "
        + String.join("; ", failures.stream().map(Failure::toString).toList());
  }

  /**
   * One handler's failure.
   *
   * @param handler the handler
   * @param error what it threw
   */
  public record Failure(HandlerDescription handler, Exception error) {

    @Override
    public String toString() {
      return handler.name() + " (" + error + ")";
    }
  }
}
