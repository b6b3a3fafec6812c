package dev.mailroom.storetestkit.simulation;

import java.time.Duration;

/**
 * How long messages of late commits waited for their first lease. Only messages that are due at
 * once and not ordered are counted.
 *
 * @param count how many there were
 * @param longest the longest time from the commit to the first lease; it depends on how often
 *     workers claim and on the backlog
 * @param passes the most claims from the commit to the first lease, that one included
 * @param missed the most claims that had room for the message and did not find it: what a
 *     remembered scan position costs
 */
public record LateCommitDelays(int count, Duration longest, int passes, int missed) {

  /** No late commit at all. */
  public static final LateCommitDelays NONE = new LateCommitDelays(0, Duration.ZERO, 0, 0);

  /** These and others: the count of both and the worst of each. */
  public LateCommitDelays and(LateCommitDelays other) {
    return new LateCommitDelays(
        count + other.count,
        longest.compareTo(other.longest) >= 0 ? longest : other.longest,
        Math.max(passes, other.passes),
        Math.max(missed, other.missed));
  }
}
