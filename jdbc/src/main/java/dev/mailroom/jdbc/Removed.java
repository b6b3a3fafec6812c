package dev.mailroom.jdbc;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages that a settlement has removed: how many of each lease, of each group, of each run. */
final class Removed {
  private final Map<UUID, Integer> perLease = new LinkedHashMap<>();
  private final Map<GroupKey, Integer> perGroup = new HashMap<>();
  private final Map<Run, Integer> perRun = new HashMap<>();

  void add(UUID token, @Nullable GroupKey group) {
    perLease.merge(token, 1, Integer::sum);
    if (group != null) {
      perGroup.merge(group, 1, Integer::sum);
    }
  }

  void add(UUID token, @Nullable Run run) {
    perLease.merge(token, 1, Integer::sum);
    if (run != null) {
      perRun.merge(run, 1, Integer::sum);
    }
  }

  Map<UUID, Integer> leases() {
    return perLease;
  }

  /** The runs, by their groups. */
  Map<GroupKey, Run> runs() {
    Map<GroupKey, Run> runs = new HashMap<>();
    perRun.keySet().forEach(run -> runs.put(run.group, run));
    return runs;
  }

  /** The groups, in the order in which everybody locks them. */
  SortedMap<GroupKey, Integer> groups() {
    SortedMap<GroupKey, Integer> groups = new TreeMap<>(perGroup);
    perRun.forEach((run, count) -> groups.merge(run.group, count, Integer::sum));
    return groups;
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
