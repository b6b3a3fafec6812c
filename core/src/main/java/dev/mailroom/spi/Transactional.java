package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import dev.mailroom.transactions.Transaction;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A store whose writes and outcomes can join a transaction. */
public interface Transactional {

  /** Begins a transaction of the store's own kind. */
  OpenTransaction begin();

  /**
   * Records what became of leased messages as a part of a transaction: until that commits, no other
   * transaction sees it and their groups stay locked; a rollback leaves them leased. Otherwise as
   * {@link Outcomes#settle}: settlements whose lease is no longer held change nothing.
   *
   * <p>Meant to be the last thing before the commit: until then the store may make others wait who
   * want the same groups.
   *
   * <p>What is answered holds until the commit: the store keeps others from the messages, or lets
   * the commit fail with {@link dev.mailroom.errors.LeaseLostException} and undo everything.
   *
   * @param settlements at most {@link Limits#BATCH}; each message at most once
   * @return the messages whose lease is no longer held
   * @throws UnsupportedOperationException if it cannot join a transaction of that kind
   */
  Set<UUID> settle(Channel channel, List<Settlement> settlements, Transaction transaction);

  /**
   * A transaction that its caller must end. {@link #close} rolls back what was not committed. Not
   * thread-safe.
   */
  interface OpenTransaction extends Transaction, AutoCloseable {

    /** Makes everything visible, then runs what was registered to run after the commit. */
    void commit();

    /** Rolls back unless it was committed. */
    @Override
    void close();
  }
}
