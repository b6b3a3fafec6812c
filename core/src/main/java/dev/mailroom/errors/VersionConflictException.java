package dev.mailroom.errors;

/** State was changed by another writer since it was read; nothing was changed. */
public final class VersionConflictException extends MailroomException {
  private static final long serialVersionUID = 1L;

  /** Names the state and the two versions. */
  public VersionConflictException(String state, long expected, long found) {
    super(
        "State '"
            + state
            + "' is at version "
            + found
            + ", not "
            + expected
            + ": read it again and repeat the step.");
  }
}
