package dev.mailroom.transactions;

/**
 * The caller's own transaction, opaque to Mailroom: a store knows its kind and joins it. What is
 * written in it becomes visible when it commits; a rollback leaves nothing.
 */
public interface Transaction {

  /**
   * Runs the action once the transaction has committed, and only then. A transaction that cannot
   * tell when it commits drops the action: the action is always a hint, and polling finds the
   * message.
   */
  void afterCommit(Runnable action);
}
