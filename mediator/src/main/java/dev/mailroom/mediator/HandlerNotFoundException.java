package dev.mailroom.mediator;

import dev.mailroom.errors.MailroomException;
import java.util.List;

/** A command or query has no handler, or several where one must answer. */
public final class HandlerNotFoundException extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final transient List<HandlerDescription> candidates;

  /** With a message that names the type and the candidates. */
  public HandlerNotFoundException(String message, List<HandlerDescription> candidates) {
    super(message);
    this.candidates = List.copyOf(candidates);
  }

  /** The handlers between which nothing decides; empty if there is none at all. */
  public List<HandlerDescription> candidates() {
    return candidates;
  }
}
