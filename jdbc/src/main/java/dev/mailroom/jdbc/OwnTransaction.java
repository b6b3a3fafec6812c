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
  private final Turns turns;
  private final Connection guarded;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private volatile boolean ended;

  private OwnTransaction(Transactions transactions, Turns turns, Connection connection) {
    super(connection);
    this.transactions = transactions;
    this.turns = turns;
    this.guarded = GuardedConnection.of(connection, () -> ended);
  }

  /** Begins one when it is its turn. */
  static OwnTransaction begin(Transactions transactions, Turns turns) {
    boolean begun = false;
    try {
      turns.take();
      try {
        OwnTransaction own = new OwnTransaction(transactions, turns, transactions.openPatiently());
        begun = true;
        return own;
      } finally {
        if (!begun) {
          turns.giveBack();
        }
      }
    } catch (SQLException e) {
      throw SqlErrors.translate("begin a transaction", e);
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
      turns.giveBack();
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
