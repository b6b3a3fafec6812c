package dev.mailroom.internal.engine;

import java.lang.reflect.Method;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates threads for handlers: virtual threads on Java 21 and later, platform threads otherwise.
 * The engine's own services always use platform threads, so that handlers that pin the carriers of
 * virtual threads cannot delay the extension of leases.
 */
final class HandlerThreadFactory {
  private final ThreadFactory handlers;

  HandlerThreadFactory(String channel) {
    this.handlers = virtualOrPlatform("mailroom-" + channel + "-handler-");
  }

  ThreadFactory handlers() {
    return handlers;
  }

  private static ThreadFactory virtualOrPlatform(String prefix) {
    try {
      Method ofVirtual = Thread.class.getMethod("ofVirtual");
      Object builder = ofVirtual.invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      Object named = type.getMethod("name", String.class, long.class).invoke(builder, prefix, 0L);
      return (ThreadFactory) type.getMethod("factory").invoke(named);
    } catch (ReflectiveOperationException | UnsupportedOperationException beforeJava21) {
      AtomicInteger number = new AtomicInteger();
      return task -> {
        Thread thread = new Thread(task, prefix + number.getAndIncrement());
        thread.setDaemon(true);
        return thread;
      };
    }
  }
}
