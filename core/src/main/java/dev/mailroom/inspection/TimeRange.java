package dev.mailroom.inspection;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The times from one on and before another.
 *
 * @param from the first time that is part of it; null means from the beginning
 * @param before the first time that is no longer part of it; null means without an end
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant before) {
  /** Every time. */
  public static final TimeRange ALL = new TimeRange(null, null);

  /** Whether the time is part of it. */
  public boolean contains(Instant time) {
    return (from == null || !time.isBefore(from)) && (before == null || time.isBefore(before));
  }
}
