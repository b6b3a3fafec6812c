package dev.mailroom.errors;

/** A bounded store has no room left; nothing was stored. */
public final class StoreFullException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Says what the limit is and how to raise it. */
  public StoreFullException(String message) {
    super(message);
  }
}
