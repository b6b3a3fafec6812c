package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.mediator.InvalidRequestException;
import dev.mailroom.mediator.InvalidRequestException.Problem;
import dev.mailroom.mediator.Validation;
import dev.mailroom.mediator.Validator;
import java.util.ArrayList;
import java.util.List;

/** The problems that the validators of one call report. */
final class CollectedProblems implements Validation {
  private final Execution execution;
  private final List<Problem> problems = new ArrayList<>();

  private CollectedProblems(Execution execution) {
    this.execution = execution;
  }

  /** Runs all validators, and then reports all problems at once. */
  @SuppressWarnings("unchecked") // Their type of messages is above the message's class.
  static void validate(Object message, Execution execution, RegisteredHandler[] validators)
      throws Exception {
    CollectedProblems collected = new CollectedProblems(execution);
    for (RegisteredHandler each : validators) {
      if (execution.isAborted()) {
        break;
      }
      execution.proceed();
      ((Validator<Object>) each.handler(execution)).validate(message, collected);
    }
    if (!collected.problems.isEmpty()) {
      throw new InvalidRequestException(message.getClass(), collected.problems);
    }
  }

  @Override
  public void reject(String what, String why) {
    problems.add(new Problem(what, why));
  }

  @Override
  public ExecutionContext context() {
    return execution;
  }
}
