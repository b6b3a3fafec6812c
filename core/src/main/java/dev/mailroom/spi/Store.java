package dev.mailroom.spi;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Target;
import org.jspecify.annotations.Nullable;

/**
 * Where messages live: the verbs of one state machine. What more a store can do, it declares by the
 * interfaces {@link Transactional}, {@link WakeUps}, {@link Inspectable}, {@link Migratable} and
 * {@link Durability}.
 *
 * <p>Thread-safe and, where the store is shared, safe for many processes. A verb that fails throws
 * {@link dev.mailroom.errors.TransientStoreException} if repeating it can help, and {@link
 * dev.mailroom.errors.StoreException} otherwise.
 */
public interface Store extends MessageWriter, Leases, Outcomes {

  /**
   * Removes a message that is not leased, and frees its deduplication key. One that is {@link
   * Target#includingLeased} is removed from under its worker; its group, if it was held, goes on
   * when what else is leased of it is settled.
   *
   * @return false if it is leased, dead or gone
   */
  boolean cancel(Channel channel, Target target);

  /**
   * Moves a message that is not leased to another time. One that is {@link Target#includingLeased}
   * is taken from its worker first: due then, it can be leased again.
   *
   * @return false if it is leased, dead or gone
   */
  boolean reschedule(Channel channel, Target target, Due due);

  /**
   * Reads dead letters, first dead-lettered first.
   *
   * @param after the last page's cursor, or null for the first page
   * @param limit the most to read, 1 to {@link Limits#BATCH}
   */
  DeadLetterPage deadLetters(
      Channel channel, DeadLetterFilter filter, @Nullable String after, int limit);

  /**
   * Makes dead letters ready again, first dead-lettered first: attempts, crashes and deferrals
   * start at zero, id and checkpoints stay. One that its group waits for takes its old place; any
   * other joins the tail of its group.
   *
   * @param limit the most to redrive, 1 to {@link Limits#BATCH}
   * @return how many
   */
  int redrive(Channel channel, DeadLetterFilter filter, int limit);

  /**
   * Removes dead letters. A group that waited for one goes on with its next message.
   *
   * @param limit the most to remove, 1 to {@link Limits#BATCH}
   * @return how many
   */
  int discard(Channel channel, DeadLetterFilter filter, int limit);

  /**
   * Removes what has outlived its time.
   *
   * @param limit the most to remove, 1 to {@link Limits#BATCH}
   * @return how many rows were removed; fewer than the limit means nothing is left to remove now
   */
  int purge(Channel channel, Purge what, int limit);

  /** The state under that key, or null if there is none. See {@link #commit}. */
  @Nullable StoredState state(StateKey key);
}
