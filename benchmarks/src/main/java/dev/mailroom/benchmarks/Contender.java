package dev.mailroom.benchmarks;

/** One way of getting messages from writers to handlers. */
interface Contender {

  /** Its name in the table. */
  String name();

  /**
   * Moves this many messages from writers to handlers and returns when all were handled.
   *
   * @throws Exception if it could not
   */
  void run(int messages) throws Exception;
}
