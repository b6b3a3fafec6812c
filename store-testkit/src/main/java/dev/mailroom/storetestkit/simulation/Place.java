package dev.mailroom.storetestkit.simulation;

/**
 * Where a message stands in the order of its group, as far as the contract says.
 *
 * <p>Moments are counted: every call and every return has a number. A write that had returned
 * before another was called goes first; of writes that overlap, either may. A message that is
 * scheduled for later has no place until it joins its group, which is at its due time at the
 * earliest, and has surely happened when it is leased.
 *
 * @param called when the write was called
 * @param returned when it had surely taken effect; {@link #NOT_YET} if that is not known
 * @param takenAt the time of {@code returned}, in nanoseconds of simulated time
 * @param due the earliest time at which it joins, or {@link #AT_ONCE}
 */
record Place(long called, long returned, long takenAt, long due) {
  static final long NOT_YET = Long.MAX_VALUE;
  static final long AT_ONCE = -1;

  static Place open(long called, long due) {
    return new Place(called, NOT_YET, NOT_YET, due);
  }

  Place taken(long moment, long time) {
    return new Place(called, moment, time, due);
  }

  boolean isTaken() {
    return returned != NOT_YET;
  }

  boolean isScheduled() {
    return due != AT_ONCE;
  }

  boolean goesBefore(Place other) {
    return other.isScheduled() ? takenAt < other.due : returned < other.called;
  }
}
