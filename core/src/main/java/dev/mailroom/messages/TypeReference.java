package dev.mailroom.messages;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Names a generic type with all its parameters: {@code new TypeReference<Archive<String>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeReference<T> {
  private final Type type;

  /** Reads the type from the subclass. */
  protected TypeReference() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)
        || parameterized.getRawType() != TypeReference.class) {
      throw new IllegalArgumentException(
          "A TypeReference needs its type: write new TypeReference<Archive<String>>() {}.");
    }
    type = parameterized.getActualTypeArguments()[0];
  }

  private TypeReference(Type type) {
    this.type = type;
  }

  /** Names a type that is known already. */
  public static TypeReference<?> of(Type type) {
    return new TypeReference<Object>(type) {};
  }

  /** The type. */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}
