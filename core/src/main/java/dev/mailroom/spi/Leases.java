package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/** The lease role of a store. */
public interface Leases {

  /**
   * Leases due messages under one new token and counts an attempt for each.
   *
   * <p>Of a group the first messages are leased, in order, and the group is held until each of them
   * is settled; a group whose head waits, or that is parked, gives nothing. A message that has
   * crashed before comes alone, and only if the request allows it. A message at the crash limit or
   * past its lifetime is dead-lettered here and not leased.
   */
  Claim lease(Channel channel, LeaseRequest request);

  /**
   * Makes leases last for {@code duration} from now on. Also revives an expired lease that is not
   * reclaimed yet. A lease, a lifetime or a window that ends at this very instant has ended.
   *
   * @param tokens at most {@link Limits#BATCH}
   * @return the tokens that are no longer held
   */
  Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration);

  /**
   * Gives back at once everything that is still held under these leases: ready again, in place
   * within its group, the attempt given back. A token that is no longer held changes nothing.
   *
   * @param tokens at most {@link Limits#BATCH}
   * @return how many messages were given back
   */
  int release(Channel channel, Set<UUID> tokens);

  /**
   * Reclaims expired leases from their workers. Each of their messages counts a crash (in a group
   * only the first), gets its attempt back and becomes visible after the channel's crash back-off.
   *
   * @param limit the most leases to reclaim, 1 to {@link Limits#BATCH}
   * @return how many leases were reclaimed
   */
  int reclaim(Channel channel, int limit);
}
