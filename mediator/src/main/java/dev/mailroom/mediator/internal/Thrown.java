package dev.mailroom.mediator.internal;

/** Lets exceptions pass through signatures that do not name them. */
final class Thrown {
  private Thrown() {}

  /**
   * Throws the error itself, checked or not: wrapped in another one, it would be neither what error
   * handlers were told nor what retry rules look for.
   */
  static RuntimeException asItIs(Throwable error) {
    return Thrown.<RuntimeException>disguise(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException disguise(Throwable error) throws E {
    throw (E) error;
  }
}
