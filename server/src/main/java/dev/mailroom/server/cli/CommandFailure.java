package dev.mailroom.server.cli;

import dev.mailroom.errors.MailroomException;

/** Ends a command with a message and an exit code. */
final class CommandFailure extends MailroomException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
