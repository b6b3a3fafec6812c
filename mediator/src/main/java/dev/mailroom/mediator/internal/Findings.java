package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.ExecutionContext;
import dev.mailroom.mediator.InvalidRequestException;
import dev.mailroom.mediator.InvalidRequestException.Problem;
import dev.mailroom.mediator.Validation;
import dev.mailroom.mediator.Validator;
import java.util.ArrayList;
import java.util.List;

/** What the validators of one call have found. */
final class Findings implements Validation {
  private final Execution execution;
  private final List<Problem> problems = new ArrayList<>();

  private Findings(Execution execution) {
    this.execution = execution;
  }

  /** Asks all validators, and then reports all problems at once. */
  @SuppressWarnings("unchecked") // Their type of messages is above the message's class.
  static void validate(Object message, Execution execution, Registration[] validators)
      throws Exception {
    Findings findings = new Findings(execution);
    for (Registration each : validators) {
      if (execution.isAborted()) {
        break;
      }
      execution.proceed();
      ((Validator<Object>) each.handler(execution)).validate(message, findings);
    }
    if (!findings.problems.isEmpty()) {
      throw new InvalidRequestException(message.getClass(), findings.problems);
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
