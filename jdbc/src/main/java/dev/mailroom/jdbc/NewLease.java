package dev.mailroom.jdbc;

import java.util.List;
import java.util.UUID;

/**
 * A lease that a claim opens.
 *
 * @param token its token
 * @param worker who holds it
 * @param endsAt until when, in microseconds
 * @param ids its messages
 * @param positions the positions of those whose rows do not carry the token
 * @param contested those of them that another one may have picked as well, since no group is held
 * @param holdsGroups whether some of its messages are of groups
 * @param awaited whether the claim does more than to lease, and must survive a crash of the server
 */
record NewLease(
    UUID token,
    String worker,
    long endsAt,
    List<UUID> ids,
    List<Long> positions,
    List<Long> contested,
    boolean holdsGroups,
    boolean awaited) {}
