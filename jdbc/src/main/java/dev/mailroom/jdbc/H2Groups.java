package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Groups on H2, where whoever inserts a key that another one is about to remove does not wait for
 * that: the key is taken, and that is all. So it has to be asked whether the group is being given
 * up, since then its holder has looked at it for the last time.
 */
final class H2Groups extends Groups {
  private static final String HELD =
      """
      SELECT 1 FROM {hold} WHERE channel = ? AND tenant = ? AND group_key = ?
      FOR UPDATE SKIP LOCKED""";

  @Override
  Held hold(Line line, UUID token, Collection<GroupKey> groups) throws SQLException {
    Held held = super.hold(line, token, groups);
    Set<GroupKey> leaving = new HashSet<>();
    for (GroupKey group : groups) {
      if (!held.gained().contains(group) && !isHeld(line, group)) {
        leaving.add(group);
      }
    }
    return new Held(held.gained(), leaving);
  }

  /** By somebody who gives it up later than this claim, if at all. */
  private static boolean isHeld(Line line, GroupKey group) throws SQLException {
    return line.session().call(HELD).with(line.id(), group.tenant(), group.key()).first(row -> 1)
        != null;
  }
}
