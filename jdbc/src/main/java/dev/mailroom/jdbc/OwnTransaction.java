package dev.mailroom.jdbc;

import dev.mailroom.spi.Transactional.OpenTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction that the store began for the caller, and whose end it sees. */
final class OwnTransaction extends JdbcTransaction implements OpenTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

  private final Transactions transactions;
  private final TransactionPermits.Permit permit;
  private final Connection guarded;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private volatile boolean ended;

  private OwnTransaction(
      Transactions transactions, TransactionPermits.Permit permit, Connection connection) {
    super(connection, null);
    this.transactions = transactions;
    this.permit = permit;
    this.guarded = GuardedConnection.of(connection, () -> ended);
  }

  /** Waits for a permit. */
  interface Admission {
    TransactionPermits.Permit await() throws SQLException;
  }

  /** Begins one when there is a permit. */
  static OwnTransaction begin(Transactions transactions, Admission admission) {
    boolean begun = false;
    try {
      TransactionPermits.Permit permit = admission.await();
      try {
        OwnTransaction own = new OwnTransaction(transactions, permit, transactions.openPatiently());
        begun = true;
        return own;
      } finally {
        if (!begun) {
          permit.giveBack();
        }
      }
    } catch (SQLException e) {
      throw SqlErrors.translate("begin a transaction", e);
    }
  }

  @Override
  void requireOf(Transactions store) {
    if (transactions != store) {
      throw new IllegalArgumentException(
          "The transaction belongs to another JDBC store: what is written in it would be stored"
              + " there. Write outside of it, or in a transaction of this inbox's store.");
    }
  }

  @Override
  public Connection connection() {
    requireOpen();
    return guarded;
  }

  @Override
  Connection forStore() {
    requireOpen();
    return super.forStore();
  }

  /** It ends with the outcome of the message that it was begun for. */
  @Override
  boolean isCallers() {
    return false;
  }

  @Override
  boolean runsAfterCommit() {
    return true;
  }

  @Override
  public void afterCommit(Runnable action) {
    requireOpen();
    afterCommit.add(action);
  }

  @Override
  public void commit() {
    requireOpen();
    end(true);
    afterCommit.forEach(OwnTransaction::run);
  }

  @Override
  public void close() {
    if (!ended) {
      end(false);
    }
  }

  private void end(boolean commit) {
    ended = true;
    try {
      transactions.end(super.forStore(), commit);
    } catch (SQLException e) {
      throw SqlErrors.translate(commit ? "commit" : "roll back", e);
    } finally {
      permit.giveBack();
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException(
          "The transaction has ended: begin another one for further writes.");
    }
  }

  /** What only follows a write must not look like a failure of the write. */
  private static void run(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException failure) {
      LOG.warn("An action after a commit failed; the commit itself is done.", failure);
    }
  }
}
