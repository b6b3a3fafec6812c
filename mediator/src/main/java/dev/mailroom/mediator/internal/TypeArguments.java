package dev.mailroom.mediator.internal;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out with which type a class implements a generic interface. Only registration and the first
 * use of a message type come here.
 */
final class TypeArguments {
  private TypeArguments() {}

  /**
   * The first type argument with which the type implements the interface, or empty if it does not
   * say, as lambdas do not.
   */
  static Optional<Type> first(Class<?> type, Class<?> generic) {
    return search(type, generic, Map.of());
  }

  /** The class of the first type argument; {@code Object} if the type does not say. */
  static Class<?> erasure(Class<?> type, Class<?> generic) {
    return first(type, generic).<Class<?>>map(TypeArguments::erase).orElse(Object.class);
  }

  /** The class that a type is at run time; of a variable, its bound. */
  static Class<?> erase(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    if (type instanceof GenericArrayType array) {
      return Array.newInstance(erase(array.getGenericComponentType()), 0).getClass();
    }
    if (type instanceof TypeVariable<?> variable) {
      return erase(variable.getBounds()[0]);
    }
    return erase(((WildcardType) type).getUpperBounds()[0]);
  }

  /** Whether instances of other types have the same class: a handler could not tell them apart. */
  static boolean isNarrowerThanItsClass(Type type) {
    return type instanceof GenericArrayType
        || (type instanceof ParameterizedType parameterized
            && Arrays.stream(parameterized.getActualTypeArguments())
                .anyMatch(each -> each instanceof Class<?> || each instanceof ParameterizedType));
  }

  /** Superclasses and interfaces form no cycle, so the search ends. */
  private static Optional<Type> search(
      Type type, Class<?> generic, Map<TypeVariable<?>, Type> outer) {
    Class<?> plain = erase(type);
    if (!generic.isAssignableFrom(plain)) {
      return Optional.empty();
    }
    Map<TypeVariable<?>, Type> bound = bindings(type, plain, outer);
    if (plain == generic) {
      return Optional.ofNullable(bound.get(generic.getTypeParameters()[0]));
    }
    Type superclass = plain.getGenericSuperclass();
    if (superclass != null) {
      Optional<Type> above = search(superclass, generic, bound);
      if (above.isPresent()) {
        return above;
      }
    }
    return Arrays.stream(plain.getGenericInterfaces())
        .flatMap(each -> search(each, generic, bound).stream())
        .findFirst();
  }

  private static Map<TypeVariable<?>, Type> bindings(
      Type type, Class<?> plain, Map<TypeVariable<?>, Type> outer) {
    Map<TypeVariable<?>, Type> bound = new HashMap<>();
    if (type instanceof ParameterizedType parameterized) {
      Type[] arguments = parameterized.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        Type known = arguments[i] instanceof TypeVariable<?> ? outer.get(arguments[i]) : null;
        bound.put(plain.getTypeParameters()[i], known == null ? arguments[i] : known);
      }
    }
    return bound;
  }
}
