package dev.mailroom.internal.inbox;

import dev.mailroom.spi.HandlerResolver;
import org.jspecify.annotations.Nullable;

/**
 * Where a handler comes from: an instance for all messages, or a class that the resolver
 * instantiates in a scope per call.
 *
 * @param <H> the handler's interface
 */
public final class HandlerSource<H> {
  private final @Nullable H instance;
  private final @Nullable Class<? extends H> type;
  private final Class<?> shown;

  private HandlerSource(@Nullable H instance, @Nullable Class<? extends H> type, Class<?> shown) {
    this.instance = instance;
    this.type = type;
    this.shown = shown;
  }

  /** One instance for every message. */
  public static <H> HandlerSource<H> of(H instance) {
    return new HandlerSource<>(instance, null, instance.getClass());
  }

  /** One instance for every message, named after another class. */
  public static <H> HandlerSource<H> of(H instance, Class<?> shown) {
    return new HandlerSource<>(instance, null, shown);
  }

  /** A class for the resolver. */
  public static <H> HandlerSource<H> of(Class<? extends H> type) {
    return new HandlerSource<>(null, type, type);
  }

  /** The class's name, or null for a lambda or another class without a name worth showing. */
  public @Nullable String name() {
    return shown.isSynthetic() || shown.isAnonymousClass() || shown.isHidden()
        ? null
        : shown.getSimpleName();
  }

  /** The class that the resolver makes an instance of, or null. */
  public @Nullable Class<?> type() {
    return type;
  }

  /** Calls the handler, in a scope of its own if it comes from the resolver. */
  <R> R call(HandlerResolver resolver, Throwing<H, R> call) throws Throwable {
    if (instance != null) {
      return call.apply(instance);
    }
    Class<? extends H> wanted = type;
    if (wanted == null) {
      throw new IllegalStateException("A handler source has an instance or a type.");
    }
    try (HandlerResolver.Scope scope = resolver.open()) {
      return call.apply(scope.resolve(wanted));
    }
  }

  /**
   * A function that may throw.
   *
   * @param <A> its argument
   * @param <R> its result
   */
  interface Throwing<A, R> {
    R apply(A argument) throws Throwable;
  }
}
