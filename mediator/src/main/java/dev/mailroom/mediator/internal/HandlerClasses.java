package dev.mailroom.mediator.internal;

import dev.mailroom.mediator.MediatorHandlerOptions;
import dev.mailroom.spi.HandlerResolver;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns handler objects, handler classes and packages into registrations. */
public final class HandlerClasses {
  private final Set<Class<?>> seen = new LinkedHashSet<>();
  private final Set<Class<?>> requests = new LinkedHashSet<>();
  private final @Nullable HandlerResolver resolver;

  /**
   * Registers classes.
   *
   * @param resolver supplies their instances for each call; null means one instance for all calls,
   *     made by the constructor without parameters
   */
  public HandlerClasses(@Nullable HandlerResolver resolver) {
    this.resolver = resolver;
  }

  /** One registration for each handler interface of the object. */
  public static List<RegisteredHandler> ofInstance(Object handler) {
    MediatorHandlerOptions options = HandlerInterfaces.options(handler.getClass());
    List<RegisteredHandler> made = new ArrayList<>();
    HandlerInterfaces.of(handler.getClass())
        .forEach((role, type) -> made.add(RegisteredHandler.of(role, type, handler, options)));
    return made;
  }

  /** One registration for each handler interface of the class; none if it was there before. */
  public List<RegisteredHandler> ofClass(Class<?> handler) {
    if (!seen.add(handler)) {
      return List.of();
    }
    if (resolver == null) {
      HandlerInterfaces.of(handler);
      return ofInstance(make(handler));
    }
    MediatorHandlerOptions options = HandlerInterfaces.options(handler);
    List<RegisteredHandler> made = new ArrayList<>();
    HandlerInterfaces.of(handler)
        .forEach(
            (role, type) -> made.add(RegisteredHandler.resolved(role, type, handler, options)));
    return made;
  }

  /**
   * Registers the classes of a package that the predicate accepts.
   *
   * @throws IllegalArgumentException also if there is none, since then the name is likely wrong
   */
  public List<RegisteredHandler> ofPackage(
      String packageName, ClassLoader loader, Predicate<Class<?>> which) {
    List<Class<?>> handlers = concrete(packageName, loader).filter(which).toList();
    if (handlers.isEmpty()) {
      throw new IllegalArgumentException(
          "No class in package '" + packageName + "' is a handler as asked for.");
    }
    return handlers.stream().flatMap(each -> ofClass(each).stream()).toList();
  }

  /** Notes the commands and queries of a package: each must have a handler. */
  public void requireRequests(String packageName, ClassLoader loader) {
    concrete(packageName, loader).filter(HandlerClasses::isRequest).forEach(requests::add);
  }

  /** The commands and queries of scanned packages. */
  public Set<Class<?>> requests() {
    return requests;
  }

  private static Stream<Class<?>> concrete(String packageName, ClassLoader loader) {
    return new PackageScan(loader)
        .classes(packageName).stream()
            .filter(each -> !each.isInterface() && !Modifier.isAbstract(each.getModifiers()))
            .filter(each -> !each.isAnonymousClass() && !each.isLocalClass());
  }

  /** Whether it implements any handler interface. */
  public static boolean isHandler(Class<?> type) {
    return HandlerInterfaces.isHandler(type);
  }

  /** Whether its instances are commands or queries, which need a handler. */
  private static boolean isRequest(Class<?> type) {
    return MessageKind.of(type) != MessageKind.EVENT;
  }

  private static Object make(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (InvocationTargetException error) {
      throw new IllegalArgumentException(
          "The constructor of " + type.getName() + " failed: " + error.getCause(), error);
    } catch (ReflectiveOperationException | RuntimeException error) {
      throw new IllegalArgumentException(
          "Cannot make a "
              + type.getName()
              + ": give it a constructor without parameters, register an instance, or set a"
              + " HandlerResolver.",
          error);
    }
  }
}
