package dev.mailroom.internal.engine;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of one handler call: begun when the handler asks for it, ended on the same thread
 * when the handler returns. The completion is stored in the same transaction, so the message is
 * completed if and only if the handler's writes are committed; the lease token fences both.
 */
public final class HandlerTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerTransaction.class);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final HeldLease lease;
  private final Thread thread = Thread.currentThread();
  private @Nullable OpenTransaction open;
  private volatile boolean over;
  private boolean committed;

  HandlerTransaction(ChannelSpec spec, EngineContext context, HeldLease lease) {
    this.spec = spec;
    this.context = context;
    this.lease = lease;
  }

  /** How it ended. */
  public enum End {
    /** The handler never asked for it. */
    NOT_BEGUN,
    /** The handler's writes and the completion of all its messages are stored. */
    COMMITTED,
    /** The handler's writes are rolled back, and its messages are still leased. */
    ROLLED_BACK
  }

  HeldLease lease() {
    return lease;
  }

  /** Whether its messages are completed, so that the settler need not store their outcome. */
  boolean isCommitted() {
    return committed;
  }

  /** The transaction of the handler's writes; begun at the first call. */
  public Transaction join() {
    requireOwnThread("transaction");
    if (committed) {
      throw new IllegalStateException(
          "The message of channel '"
              + spec.channel().name()
              + "' is completed, so nothing can be committed together with that any more: write"
              + " first, or as a part of the completion.");
    }
    if (open == null) {
      if (!(spec.store() instanceof Transactional store)) {
        throw new UnsupportedOperationException(
            "The store of channel '"
                + spec.channel().name()
                + "' has no transactions, so a handler's writes cannot be committed together with"
                + " the message's completion: use a store that is Transactional.");
      }
      open = store.begin();
    }
    return open;
  }

  /** Stores the outcome of a step of one message, outside of the handler's transaction. */
  public void checkpoint(UUID message, String step, String outcome) {
    requireOwnThread("checkpoint");
    if (open != null) {
      throw new IllegalStateException(
          "The handler of channel '"
              + spec.channel().name()
              + "' has begun its transaction, and a checkpoint would be stored apart from it:"
              + " record step '"
              + step
              + "' before, or leave it to the message's completion.");
    }
    Checkpoint checkpoint = new Checkpoint(message, lease.token(), step, outcome);
    boolean interrupted =
        Thread.interrupted(); // an interrupt closes the channel of an embedded database file
    try {
      context
          .storageRetries()
          .run(
              "Recording step '" + step + "' of message " + message,
              failures -> {
                spec.store().checkpoint(spec.channel(), checkpoint);
                return checkpoint;
              });
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Completes one message together with other changes, now and not when the handler returns. */
  public List<AppendResult> complete(UUID message, Commit effects) {
    requireOwnThread("completion");
    requireAlone();
    Settlement done = new Settlement(message, lease.token(), Outcome.Completed.INSTANCE);
    List<Commit.Settlements> own = List.of(new Commit.Settlements(spec.channel(), List.of(done)));
    boolean interrupted =
        Thread.interrupted(); // an interrupt closes the channel of an embedded database file
    try {
      List<AppendResult> results =
          spec.store()
              .commit(new Commit(own, effects.appends(), effects.cancels(), effects.state()));
      committed = true;
      for (Commit.Appends appends : effects.appends()) {
        context.waker().wake(appends.channel().name());
      }
      return results;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void requireAlone() {
    if (open != null || committed || spec.processor().batched()) {
      throw new IllegalStateException(
          "A message of channel '"
              + spec.channel().name()
              + "' can be completed with other changes once, by a handler that gets messages one by"
              + " one and has not begun its transaction.");
    }
  }

  private void requireOwnThread(String what) {
    if (over || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "The " + what + " of a handler is for the thread that runs it, until it returns.");
    }
  }

  /**
   * The handler has returned: commits if it succeeded with all messages, otherwise rolls back. If
   * this throws, the messages are still leased, or, if the reply to the commit was lost, completed:
   * then the store refuses any later outcome.
   */
  public End end(boolean succeeded, List<Message> messages) {
    over = true;
    OpenTransaction begun = open;
    if (begun == null) {
      return committed ? End.COMMITTED : End.NOT_BEGUN;
    }
    try {
      committed = succeeded && !lease.isLost() && complete(begun, messages);
      return committed ? End.COMMITTED : End.ROLLED_BACK;
    } finally {
      close(begun);
    }
  }

  /** False if a lease is lost: writes under it must not be committed. */
  private boolean complete(OpenTransaction begun, List<Message> messages) {
    List<Settlement> settlements = new ArrayList<>(messages.size());
    for (Message message : messages) {
      settlements.add(new Settlement(message.id(), lease.token(), Outcome.Completed.INSTANCE));
    }
    try {
      Transactional store = (Transactional) spec.store();
      Set<UUID> lost = store.settle(spec.channel(), settlements, begun);
      if (!lost.isEmpty()) {
        return false;
      }
      begun.commit();
      return true;
    } catch (LeaseLostException lost) {
      return false;
    }
  }

  /**
   * Rolls back an uncommitted transaction. If that fails, the connection is lost and with it the
   * writes.
   */
  private void close(OpenTransaction begun) {
    try {
      begun.close();
    } catch (RuntimeException error) {
      LOG.debug("A transaction of '{}' could not be rolled back", spec.channel().name(), error);
    }
  }
}
