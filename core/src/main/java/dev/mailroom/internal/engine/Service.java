package dev.mailroom.internal.engine;

import java.time.Duration;

/** One duty of the engine, done pass by pass. */
public interface Service {

  /** Its name, for threads and logs. */
  String name();

  /**
   * Does what there is to do now.
   *
   * @return how long to rest at most before the next pass; zero means go on at once
   */
  Duration pass();

  /** What ends the rest early. */
  Signal signal();
}
