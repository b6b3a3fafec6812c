package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store that can lease messages as it stores them, for a worker of the process that writes. */
public interface LeasingWriter {

  /**
   * Stores messages as {@link MessageWriter#append} does in a transaction of the store's own, and
   * in the same step leases what a worker may begin with at once. No other worker ever sees these
   * unleased; an attempt is counted as at any claim.
   *
   * <p>Only what was accepted and is due is leased; of an ordered group only if nothing of it is
   * stored, held or parked. A store may lease less than it could, or nothing: what is not leased is
   * stored as ever.
   *
   * @param messages at least one, at most {@link Limits#APPEND_BATCH}
   * @param request the claim: nothing is leased if there are more messages than its limit, nor of a
   *     group of which there are more than its group limit; it names no tenant
   */
  LeasedAppend appendLeased(Channel channel, List<NewMessage> messages, LeaseRequest request);

  /**
   * What became of messages that were to be leased as they were stored.
   *
   * @param results one result per message, in input order
   * @param lease those that are leased, or null if none is
   */
  record LeasedAppend(List<AppendResult> results, @Nullable Lease lease) {

    /** Whether something was stored that is not leased. */
    public boolean hasUnleasedMessages() {
      long stored = results.stream().filter(AppendResult::accepted).count();
      return stored > (lease == null ? 0 : lease.messages().size());
    }
  }
}
