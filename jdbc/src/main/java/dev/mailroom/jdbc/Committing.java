package dev.mailroom.jdbc;

import dev.mailroom.errors.LeaseLostException;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.StateChange;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Settlements, a state's new version, cancels and appends, in one transaction. */
final class Committing {
  private final Session session;
  private final Groups groups;
  private final Map<String, Integer> ids;

  /**
   * One try at a commit.
   *
   * @param ids the numbers of the channels, by name
   */
  Committing(Session session, Groups groups, Map<String, Integer> ids) {
    this.session = session;
    this.groups = groups;
    this.ids = ids;
  }

  /** Does all of it, or throws; the results of the appends, in order. */
  List<AppendResult> run(Commit commit) throws SQLException {
    settle(commit.settlements());
    StateChange change = commit.state();
    if (change != null) {
      States.apply(session, change);
    }
    for (Commit.Cancel cancel : commit.cancels()) {
      new Targets(line(cancel.channel()), groups).cancel(cancel.target());
    }
    List<AppendResult> results = new ArrayList<>();
    for (Commit.Appends part : commit.appends()) {
      if (!part.messages().isEmpty()) {
        results.addAll(new Appending(line(part.channel()), groups, part.messages()).run());
      }
    }
    return List.copyOf(results);
  }

  /** Channel by channel in the order of their names, so that two commits do not wait in a ring. */
  private void settle(List<Commit.Settlements> parts) throws SQLException {
    Map<String, List<Commit.Settlements>> byName = new TreeMap<>();
    parts.forEach(
        part -> byName.computeIfAbsent(part.channel().name(), name -> new ArrayList<>()).add(part));
    Set<UUID> lost = new HashSet<>();
    for (List<Commit.Settlements> of : byName.values()) {
      Set<UUID> seen = new HashSet<>();
      for (Commit.Settlements part : of) {
        for (Settlement settlement : part.settlements()) {
          if (!seen.add(settlement.id())) {
            lost.add(settlement.id());
          }
        }
        lost.addAll(new Settling(line(part.channel()), groups).settle(part.settlements()));
      }
    }
    if (!lost.isEmpty()) {
      throw new LeaseLostException(lost);
    }
  }

  private Line line(Channel channel) {
    return new Line(session, ids.getOrDefault(channel.name(), 0), channel);
  }
}
