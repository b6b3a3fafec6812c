package dev.mailroom.storetestkit.simulation;

/**
 * The position of a message in its group, as far as the contract defines it.
 *
 * <p>Calls and returns are numbered by a logical clock. A write that had returned before another
 * was called goes first; of writes that overlap, either may. A scheduled message has no position
 * until it joins its group: at its due time at the earliest, at its first lease at the latest.
 *
 * @param called when the write was called
 * @param returned when it had surely taken effect; {@link #NOT_YET} if that is not known
 * @param assignedAt the time of {@code returned}, in nanoseconds of simulated time
 * @param due the earliest time at which it joins, or {@link #IMMEDIATE}
 */
record GroupPosition(long called, long returned, long assignedAt, long due) {
  static final long NOT_YET = Long.MAX_VALUE;
  static final long IMMEDIATE = -1;

  static GroupPosition pending(long called, long due) {
    return new GroupPosition(called, NOT_YET, NOT_YET, due);
  }

  GroupPosition assigned(long moment, long time) {
    return new GroupPosition(called, moment, time, due);
  }

  boolean isAssigned() {
    return returned != NOT_YET;
  }

  boolean isScheduled() {
    return due != IMMEDIATE;
  }

  boolean goesBefore(GroupPosition other) {
    return other.isScheduled() ? assignedAt < other.due : returned < other.called;
  }
}
