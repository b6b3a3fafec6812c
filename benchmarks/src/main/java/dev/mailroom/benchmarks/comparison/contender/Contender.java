package dev.mailroom.benchmarks.comparison.contender;

import java.util.List;

/** A library on one database, by its own documented best path; a new one for every run. */
public interface Contender extends AutoCloseable {

  /**
   * Stores these jobs in one transaction. Called by any thread, before and after the start; when it
   * returns they are durable.
   *
   * @throws Exception if none of them was stored
   */
  void append(List<Job> jobs) throws Exception;

  /**
   * Begins to handle what is stored and what will be; the ledger is told of each job.
   *
   * @throws Exception if it could not
   */
  void start() throws Exception;

  /**
   * Ends handling. When it returns no handler runs any more and all outcomes are stored.
   *
   * @throws Exception if it could not
   */
  void stop() throws Exception;

  /**
   * How many jobs are stored and not yet done. Exact after {@link #stop}.
   *
   * @throws Exception if it could not be counted
   */
  long left() throws Exception;

  /** Gives up all that it holds but the pool, which is not its own; stops first if it must. */
  @Override
  void close();
}
