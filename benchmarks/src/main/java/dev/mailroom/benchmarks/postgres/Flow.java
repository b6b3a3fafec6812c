package dev.mailroom.benchmarks.postgres;

/** Messages that are appended and drained at the same time, until it is stopped. */
interface Flow {

  String name();

  /** Empties the tables and begins to drain what {@link #append} brings. */
  void start(Ledger ledger) throws Exception;

  /** Appends the messages from that number on in one commit. */
  void append(int first, int count) throws Exception;

  /** Stops draining; what is left stays. */
  void stop() throws Exception;
}
