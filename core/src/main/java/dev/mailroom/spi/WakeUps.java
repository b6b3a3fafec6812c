package dev.mailroom.spi;

import java.util.function.Consumer;

/**
 * A store that signals new work, also of other processes. A wake-up is a hint; nothing depends on
 * it for correctness.
 */
public interface WakeUps {

  /**
   * Calls the listener with a channel's name whenever that channel may have something to lease: in
   * the process that has completed a message also if others of its group can go on. The listener is
   * quick and never throws.
   *
   * @return what ends the subscription when closed
   */
  Subscription subscribe(Consumer<String> listener);

  /** A subscription that can be ended. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
