package dev.mailroom.internal.engine;

import dev.mailroom.LeaseLostException;
import dev.mailroom.Message;
import dev.mailroom.Transaction;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction of one handler call: begun when the handler asks for it, ended on the same thread
 * as soon as the handler has returned. Success is stored inside of it, so that the message is
 * completed if and only if the handler's writes are committed; the lease fences both.
 */
public final class HandlerTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerTransaction.class);

  private final ChannelSpec spec;
  private final HeldLease lease;
  private final Thread thread = Thread.currentThread();
  private @Nullable OpenTransaction open;
  private volatile boolean over;
  private boolean committed;

  HandlerTransaction(ChannelSpec spec, HeldLease lease) {
    this.spec = spec;
    this.lease = lease;
  }

  /** What became of it. */
  public enum End {
    /** The handler never asked for it. */
    NOT_BEGUN,
    /** The handler's writes and the completion of all its messages are stored. */
    COMMITTED,
    /** Nothing of what the handler wrote is left, and its messages are still leased. */
    ROLLED_BACK
  }

  HeldLease lease() {
    return lease;
  }

  /** Whether its messages are completed, so that nobody else has to store that. */
  boolean isCommitted() {
    return committed;
  }

  /** What the handler writes in; begins it at the first call. */
  public Transaction join() {
    if (over || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "The transaction of a handler is for the thread that runs it, until it returns.");
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

  /**
   * The handler has returned: commits if it succeeded with all messages, otherwise rolls back.
   * Whatever this throws, the messages are still leased, or, if the answer to the commit was lost,
   * completed: then the store refuses any later outcome.
   */
  public End end(boolean succeeded, List<Message> messages) {
    over = true;
    OpenTransaction begun = open;
    if (begun == null) {
      return End.NOT_BEGUN;
    }
    try {
      committed = succeeded && complete(begun, messages);
      return committed ? End.COMMITTED : End.ROLLED_BACK;
    } finally {
      close(begun);
    }
  }

  /** False if a lease is lost: what was written under it must not stay. */
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

  /** Rolls back what was not committed. If that fails the store has lost it, which is the same. */
  private void close(OpenTransaction begun) {
    try {
      begun.close();
    } catch (RuntimeException error) {
      LOG.debug("A transaction of '{}' could not be rolled back", spec.channel().name(), error);
    }
  }
}
