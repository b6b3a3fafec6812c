package dev.mailroom.jdbc;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages that a settlement has removed: how many of each lease, of each group, of each run. */
final class Removed {
  private final Map<UUID, Integer> perLease = new LinkedHashMap<>();
  private final Map<Hold, Integer> perHold = new LinkedHashMap<>();
  private final Map<Run, Integer> perRun = new HashMap<>();

  /** A group that a lease holds. */
  record Hold(UUID token, GroupKey group) {}

  void add(UUID token, @Nullable GroupKey group) {
    perLease.merge(token, 1, Integer::sum);
    if (group != null) {
      perHold.merge(new Hold(token, group), 1, Integer::sum);
    }
  }

  void add(UUID token, @Nullable Run run) {
    add(token, run == null ? null : run.group);
    if (run != null) {
      perRun.merge(run, 1, Integer::sum);
    }
  }

  Map<UUID, Integer> leases() {
    return perLease;
  }

  /** The groups that leases hold fewer messages of. */
  Map<Hold, Integer> holds() {
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
