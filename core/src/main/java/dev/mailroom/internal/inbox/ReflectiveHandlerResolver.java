package dev.mailroom.internal.inbox;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.HandlerResolver;
import java.lang.reflect.Constructor;
import java.util.HashMap;
import java.util.Map;

/** Creates handlers by their constructor without parameters, one instance per scope. */
public final class ReflectiveHandlerResolver implements HandlerResolver {
  /** The only instance. */
  public static final ReflectiveHandlerResolver INSTANCE = new ReflectiveHandlerResolver();

  private ReflectiveHandlerResolver() {}

  @Override
  public Scope open() {
    return new InstanceScope();
  }

  private static final class InstanceScope implements Scope {
    private final Map<Class<?>, Object> instances = new HashMap<>();

    @Override
    public <T> T resolve(Class<T> type) {
      return type.cast(instances.computeIfAbsent(type, InstanceScope::create));
    }

    private static Object create(Class<?> type) {
      try {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
      } catch (ReflectiveOperationException error) {
        throw new MailroomException(
            "Cannot create a "
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
