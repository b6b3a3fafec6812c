package dev.mailroom.mediator.internal;

/** Throws checked exceptions through signatures that do not declare them. */
final class SneakyThrow {
  private SneakyThrow() {}

  /**
   * Throws the error itself, checked or not: wrapped in another one, neither error handlers nor
   * retry rules would recognise it.
   */
  static RuntimeException rethrow(Throwable error) {
    return SneakyThrow.<RuntimeException>throwUnchecked(error);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException throwUnchecked(Throwable error) throws E {
    throw (E) error;
  }
}
