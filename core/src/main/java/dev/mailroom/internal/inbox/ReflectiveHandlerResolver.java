package dev.mailroom.internal.inbox;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.HandlerResolver;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates handlers by their constructor without parameters, one instance per scope. */
public final class ReflectiveHandlerResolver implements HandlerResolver {
  /** The only instance. */
  public static final ReflectiveHandlerResolver INSTANCE = new ReflectiveHandlerResolver();

  private ReflectiveHandlerResolver() {}

  @Override
  public void check(Class<?> type) {
    if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
      throw failure(type, "it is abstract", null);
    }
    constructor(type);
  }

  private static Constructor<?> constructor(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException error) {
      boolean inner = type.getEnclosingClass() != null && !Modifier.isStatic(type.getModifiers());
      String reason =
          inner
              ? "it is an inner class and not static"
              : "it has no constructor without parameters";
      throw failure(type, reason, error);
    } catch (InaccessibleObjectException error) {
      throw failure(type, "its module does not open its package to Mailroom", error);
    }
  }

  private static MailroomException failure(
      Class<?> type, String reason, @Nullable Throwable cause) {
    return new MailroomException(
        type.getName()
            + " cannot be created: "
            + reason
            + ". Use a class with a constructor without parameters, register an instance, or set a"
            + " HandlerResolver with Mailroom.builder().resolver(…).",
        cause);
  }

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
        return constructor(type).newInstance();
      } catch (InvocationTargetException error) {
        throw failure(type, "its constructor threw " + error.getCause(), error);
      } catch (ReflectiveOperationException error) {
        throw failure(type, error.toString(), error);
      }
    }

    @Override
    public void close() {}
  }
}
