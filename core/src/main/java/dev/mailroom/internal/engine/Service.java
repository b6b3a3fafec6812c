package dev.mailroom.internal.engine;

import java.time.Duration;

/** One task of the engine, done in passes. */
public interface Service {

  /** Its name, for threads and logs. */
  String name();

  /**
   * Does the work that is due now.
   *
   * @return the maximum delay before the next pass; zero for none
   */
  Duration pass();

  /** Ends the delay early. */
  Signal signal();
}
