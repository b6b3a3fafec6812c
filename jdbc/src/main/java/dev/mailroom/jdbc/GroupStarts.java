package dev.mailroom.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where ordered groups begin, as far as this process knows: nothing of the group lies before, nor
 * will anything come there. An index keeps the remains of rows that are gone as long as anybody has
 * an older snapshot open, and whoever looks at a group from its very beginning walks over all that
 * it ever had.
 *
 * <p>Messages become visible in another order than they are numbered, since a transaction that has
 * taken a number may commit after one with a higher number. But it takes its id before its numbers.
 * So what was numbered when a transaction began that has ended since, with all that are older, is
 * visible or will never be. A message that comes back gets a number as if it were new. Only a dead
 * letter that parks its group keeps its own, and no group begins behind that.
 */
final class GroupStarts {
  /** A number that is taken when the transaction has its id; a plain one may come before that. */
  static final String NEXT =
      "CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('{number}') END";

  /** Whoever takes another server's place may give numbers out that the other one has given. */
  private static final String SERVER =
      "(extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";

  /** What there is to know of a statement's moment, if it writes; see {@link Moment#read}. */
  static final String MOMENT =
      """
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
      CASE WHEN {writes} THEN pg_current_xact_id()::text::bigint END,
      """
          + SERVER;

  /** One if this is that server, and otherwise zero: a factor of what was remembered of it. */
  static final String SAME_SERVER = "(SELECT CASE WHEN ? = " + SERVER + " THEN 1 ELSE 0 END)";

  /** Whether a row lies behind the start of its group, which is {@code g.start}. */
  static final String BEHIND_START = "sequence > g.start * " + SAME_SERVER;

  /** Beyond this many groups all are forgotten, and looked at from their beginning once. */
  private static final int MOST = 20_000;

  /** By channel, since a channel with tables of its own has numbers of its own. */
  private final Map<Integer, Numbers> channels = new HashMap<>();

  private final Map<Key, Long> starts = new HashMap<>();

  private record Key(int channel, GroupKey group) {}

  /** Transactions after that one take only numbers behind the last. */
  private record Mark(long transaction, long last) {}

  /**
   * What was seen of a server.
   *
   * @param number the highest number
   * @param visible up to which number everything is visible
   */
  record Seen(long server, long number, long visible) {
    /** Up to which number everything is visible to statements that have begun since then. */
    long visibleAt(Moment moment) {
      return moment.server() == server ? visible : 0;
    }
  }

  /**
   * When a statement began.
   *
   * @param oldest the oldest transaction that was running
   * @param own the statement's own, if it has one
   * @param server which server that was
   */
  record Moment(long oldest, @Nullable Long own, long server) {
    static Moment read(ResultSet row, int first) throws SQLException {
      return new Moment(
          row.getLong(first), MessageRow.number(row, first + 1), row.getLong(first + 2));
    }
  }

  /** What is known of a channel's numbers. */
  private record Numbers(Seen seen, Mark mark) {
    static final Numbers NONE = new Numbers(new Seen(0, 0, 0), new Mark(0, 0));
  }

  private Numbers of(int channel) {
    return channels.getOrDefault(channel, Numbers.NONE);
  }

  /** What was seen so far, to be asked for before the statement that is a moment. */
  synchronized Seen seen(int channel) {
    return of(channel).seen();
  }

  /**
   * Says up to which number everything is visible to statements that begin now.
   *
   * @param before what was seen before that moment
   */
  synchronized long visible(int channel, Moment moment, Seen before) {
    Seen seen = of(channel).seen();
    Mark mark = of(channel).mark();
    if (moment.server() != seen.server()) {
      starts.keySet().removeIf(key -> key.channel() == channel);
      seen = new Seen(moment.server(), 0, 0);
      mark = Numbers.NONE.mark();
    } else if (moment.server() == before.server() && mark.transaction() < moment.oldest()) {
      seen = new Seen(seen.server(), seen.number(), Math.max(seen.visible(), mark.last()));
      if (moment.own() != null) {
        mark = new Mark(moment.own(), before.number());
      }
    }
    channels.put(channel, new Numbers(seen, mark));
    return seen.visible();
  }

  /**
   * Groups were looked at.
   *
   * @param heads the numbers of their first messages
   * @param visible up to which number everything was visible
   * @param number the highest that has come along
   */
  synchronized void found(
      int channel, Moment moment, Map<GroupKey, Long> heads, long visible, long number) {
    Seen seen = of(channel).seen();
    if (moment.server() != seen.server()) {
      return;
    }
    Seen now = new Seen(seen.server(), Math.max(seen.number(), number), seen.visible());
    channels.put(channel, new Numbers(now, of(channel).mark()));
    if (starts.size() > MOST) {
      starts.clear();
    }
    heads.forEach(
        (group, head) -> {
          long start = Math.min(head - 1, visible);
          if (start > 0) {
            starts.merge(new Key(channel, group), start, Math::max);
          }
        });
  }

  /** Where groups begin, in their order, and on which server: for {@link #BEHIND_START}. */
  record Known(Array starts, long server) {}

  Known known(Line line, Collection<GroupKey> groups) throws SQLException {
    return known(line, groups, Map.of());
  }

  /**
   * The same.
   *
   * @param ended runs of which nothing is left
   */
  synchronized Known known(Line line, Collection<GroupKey> groups, Map<GroupKey, Run> ended)
      throws SQLException {
    long server = seen(line.id()).server();
    Long[] each = new Long[groups.size()];
    int count = 0;
    for (GroupKey group : groups) {
      long start = starts.getOrDefault(new Key(line.id(), group), 0L);
      Run run = ended.get(group);
      each[count++] = run != null && run.server == server ? Math.max(start, run.through) : start;
    }
    return new Known(line.session().connection.createArrayOf("int8", each), server);
  }

  /** Nothing is left of these runs, and that is committed. */
  synchronized void ended(int channel, Collection<Run> runs) {
    long server = seen(channel).server();
    for (Run run : runs) {
      if (run.server == server && run.through > 0) {
        starts.merge(new Key(channel, run.group), run.through, Math::max);
      }
    }
  }
}
