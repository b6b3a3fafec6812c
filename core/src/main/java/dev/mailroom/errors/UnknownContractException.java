package dev.mailroom.errors;

/** A payload type, or a contract name and version, that is not registered. */
public final class UnknownContractException extends MailroomException {
  private static final long serialVersionUID = 1L;

  /** Says what is unknown and how to register it. */
  public UnknownContractException(String message) {
    super(message);
  }
}
