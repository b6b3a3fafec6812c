package dev.mailroom.mediator;

/**
 * Names an item of an {@link ExecutionContext} and its type. Two keys are the same only if they are
 * the same object, so a key is a constant shared by the code that puts and gets the item.
 *
 * @param <T> the item's type
 */
@SuppressWarnings("UnusedTypeParameter") // It types get and put.
public final class ContextKey<T> {
  private final String name;

  private ContextKey(String name) {
    this.name = name;
  }

  /** A new key; the name is for people. */
  public static <T> ContextKey<T> named(String name) {
    return new ContextKey<>(name);
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
