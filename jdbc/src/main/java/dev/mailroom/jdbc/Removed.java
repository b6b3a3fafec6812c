package dev.mailroom.jdbc;

import dev.mailroom.jdbc.PostgresHolds.Hold;
import dev.mailroom.jdbc.PostgresHolds.Share;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages that a settlement has removed: how many of each lease, of each group, of each run. */
final class Removed {
  private final Map<UUID, Integer> perLease = new LinkedHashMap<>();
  private final Map<Hold, Share> perHold = new LinkedHashMap<>();
  private final Map<Run, Integer> perRun = new HashMap<>();

  void add(UUID token, @Nullable GroupKey group) {
    perLease.merge(token, 1, Integer::sum);
    if (group != null) {
      add(token, group, PostgresHolds.ANY);
    }
  }

  void add(UUID token, @Nullable Run run) {
    perLease.merge(token, 1, Integer::sum);
    if (run != null) {
      add(token, run.group, run.part);
      perRun.merge(run, 1, Integer::sum);
    }
  }

  private void add(UUID token, GroupKey group, int part) {
    perHold.merge(new Hold(token, group), new Share(part, 1), Share::and);
  }

  Map<UUID, Integer> leases() {
    return perLease;
  }

  /** The groups that leases hold fewer messages of. */
  Map<Hold, Share> holds() {
    return perHold;
  }

  /** Those of the groups whose run has ended with this. */
  Map<GroupKey, Run> ended(Set<GroupKey> freed) {
    Map<GroupKey, Run> ended = new HashMap<>();
    perRun.forEach(
        (run, count) -> {
          if (run.endsWith(count) && freed.contains(run.group)) {
            ended.put(run.group, run);
          }
        });
    return ended;
  }

  /** All of it is committed. */
  void committed() {
    perRun.forEach(Run::completed);
  }
}
