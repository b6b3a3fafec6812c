package dev.mailroom.internal.inbox;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.HandlerResolver;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;

/** Makes handlers by their constructor without parameters, one instance per scope. */
public final class NewInstances implements HandlerResolver {
  /** The only one. */
  public static final NewInstances RESOLVER = new NewInstances();

  private NewInstances() {}

  @Override
  public Scope open() {
    return new NewScope();
  }

  private static final class NewScope implements Scope {
    private final Map<Class<?>, Object> made = new HashMap<>();

    @Override
    public <T> T resolve(Class<T> type) {
      return type.cast(made.computeIfAbsent(type, NewScope::make));
    }

    private static Object make(Class<?> type) {
      try {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
      } catch (ReflectiveOperationException error) {
        throw new MailroomException(
            "Cannot make a "
                + type.getName()
                + ": give it a constructor without parameters, register an instance, or set a"
                + " HandlerResolver.",
            error);
      }
    }

    @Override
    public void close() {}
  }
}
