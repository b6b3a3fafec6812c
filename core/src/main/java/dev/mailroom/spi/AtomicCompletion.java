package dev.mailroom.spi;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.errors.VersionConflictException;
import java.util.List;

/**
 * Completes a leased message together with other changes in its store. Deliveries by the engine
 * implement it, for facades whose handlers keep a state.
 */
public interface AtomicCompletion {

  /**
   * The completion of this delivery's message.
   *
   * @param delivery what a facade's handler was called with
   * @throws IllegalArgumentException if it is not a delivery that can be completed like this
   */
  static AtomicCompletion of(Object delivery) {
    if (delivery instanceof AtomicCompletion completion) {
      return completion;
    }
    throw new IllegalArgumentException(
        delivery.getClass().getName() + " cannot be completed together with other changes.");
  }

  /**
   * Completes the message now, together with other changes in the channel's store: all of it or
   * nothing. The handler then answers success; any other answer changes nothing, the message is
   * done.
   *
   * @param effects what happens with it: messages from {@link MessageChannel#prepare}, removals, a
   *     state. It names no settlements; this message's own is added
   * @return the results of the appends, in order
   * @throws VersionConflictException if the state is not at the expected version; nothing happened
   * @throws LeaseLostException if another worker may have the message; nothing happened
   * @throws TransientStoreException if the store failed; whether it happened may be unknown. If it
   *     did, the message is gone and is not redelivered
   * @throws IllegalStateException if the handler has begun its transaction, gets messages in
   *     batches, or has returned; or on another thread
   */
  List<AppendResult> complete(Commit effects);
}
