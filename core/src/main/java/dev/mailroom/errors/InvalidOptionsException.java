package dev.mailroom.errors;

import java.util.List;

/** Options that cannot work; the message names every violation at once. */
public final class InvalidOptionsException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> violations;

  /** Reports what is wrong with the subject. */
  public InvalidOptionsException(String subject, List<String> violations) {
    super(subject + ": " + String.join("; ", violations));
    this.violations = List.copyOf(violations);
  }

  /** Each violation: the option, its value and the rule it breaks. */
  public List<String> violations() {
    return violations;
  }
}
