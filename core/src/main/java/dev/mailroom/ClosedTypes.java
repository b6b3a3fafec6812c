package dev.mailroom;

import dev.mailroom.errors.InvalidMessageException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/** Refuses types that a stored payload could not be decoded into. */
final class ClosedTypes {

  private ClosedTypes() {}

  /** Throws unless every type parameter is given. */
  static void require(Type type) {
    if (!isClosed(type)) {
      throw new InvalidMessageException(
          type.getTypeName()
              + " leaves a type parameter open, so a stored payload could not be decoded: register"
              + " each concrete parameterisation with its own name, as in new"
              + " TypeReference<Archive<String>>() {}.");
    }
  }

  private static boolean isClosed(Type type) {
    if (type instanceof Class<?> raw) {
      return raw.isArray() ? isClosed(raw.getComponentType()) : raw.getTypeParameters().length == 0;
    }
    if (type instanceof GenericArrayType array) {
      return isClosed(array.getGenericComponentType());
    }
    if (type instanceof ParameterizedType parameterized) {
      for (Type argument : parameterized.getActualTypeArguments()) {
        if (!isClosed(argument)) {
          return false;
        }
      }
      return true;
    }
    return false; // a type variable or a wildcard
  }
}
