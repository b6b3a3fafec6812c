package dev.mailroom.server.config;

import dev.mailroom.errors.MailroomException;
import java.util.List;

/** A configuration that cannot work; the message names everything that is wrong with it. */
public final class ConfigurationException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** With everything that was found. */
  public ConfigurationException(List<String> problems) {
    super(String.join(System.lineSeparator(), readable(problems)));
    this.problems = readable(problems);
  }

  /** Some texts come from the library, which does not know the server's durations and secrets. */
  private static List<String> readable(List<String> problems) {
    return problems.stream().map(Units::readable).map(Redaction::of).toList();
  }

  /** One text per problem: what, where, and what to do. */
  public List<String> problems() {
    return problems;
  }
}
