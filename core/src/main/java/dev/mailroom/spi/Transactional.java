package dev.mailroom.spi;

import dev.mailroom.Transaction;

/** A store whose writes can join a transaction. */
public interface Transactional {

  /** Begins a transaction of the store's own kind. */
  OpenTransaction begin();

  /**
   * A transaction that somebody must end. {@link #close} rolls back what was not committed. Not
   * safe for use by many threads.
   */
  interface OpenTransaction extends Transaction, AutoCloseable {

    /** Makes everything visible, then runs what was registered to run after the commit. */
    void commit();

    /** Rolls back unless it was committed. */
    @Override
    void close();
  }
}
