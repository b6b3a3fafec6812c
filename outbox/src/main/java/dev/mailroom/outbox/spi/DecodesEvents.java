package dev.mailroom.outbox.spi;

import java.util.Set;

/**
 * A {@link Dispatcher} that needs events as objects, and says of which types. Types that carry a
 * contract are known from the start, so that what another process has stored, or this one before a
 * restart, can be decoded.
 */
public interface DecodesEvents {

  /** The types of events that it handles. Types without a contract are ignored. */
  Set<Class<?>> eventTypes();
}
