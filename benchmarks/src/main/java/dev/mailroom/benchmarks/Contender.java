package dev.mailroom.benchmarks;

/** One way of getting messages from writers to handlers. */
public interface Contender {

  /** Its name in the table. */
  String name();

  /** The ratio to the first contender that it is meant to reach; 0 if there is none. */
  default double goal() {
    return 0;
  }

  /**
   * Does what is not measured before a run.
   *
   * @throws Exception if it could not
   */
  default void prepare(int messages) throws Exception {}

  /**
   * Handles this many messages and returns when all were handled. This is what is measured.
   *
   * @throws Exception if it could not
   */
  void run(int messages) throws Exception;

  /**
   * Does what is not measured after a run, such as to check that every message was handled once.
   *
   * @throws Exception if something was wrong
   */
  default void finish(int messages) throws Exception {}
}
