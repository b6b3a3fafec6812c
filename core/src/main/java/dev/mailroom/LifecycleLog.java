package dev.mailroom;

import dev.mailroom.internal.inbox.HandlerRegistration;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one line when a mailroom has started and one when it has stopped. */
final class LifecycleLog {
  private static final Logger LOG = LoggerFactory.getLogger(Mailroom.class);

  private final List<String> inboxes = new ArrayList<>();

  /** Adds an inbox to what is logged. */
  void add(InboxBuilder inbox, Store store) {
    List<String> handled = new ArrayList<>();
    inbox.handlers().forEach(handler -> handled.add(name(handler)));
    inbox.batchHandlers().forEach(handler -> handled.add(name(handler) + " in batches"));
    String handlers = handled.isEmpty() ? "write-only" : String.join(", ", handled);
    inboxes.add("'" + inbox.name() + "' on " + store.getClass().getSimpleName() + ": " + handlers);
  }

  private static String name(HandlerRegistration<?> handler) {
    return handler.isRelay() ? "relay" : shortName(handler.type().getTypeName());
  }

  /** The name without packages and enclosing classes, also of a type's parameters. */
  private static String shortName(String typeName) {
    return typeName.replaceAll("[\\w.$]+[.$](?=\\w)", "");
  }

  void started(boolean cleanUpOnly) {
    LOG.info("Mailroom started{}: inboxes {}", cleanUpOnly ? " for clean-up only" : "", inboxes);
  }

  void stopped(Duration took) {
    LOG.info("Mailroom stopped in {} ms", took.toMillis());
  }
}
