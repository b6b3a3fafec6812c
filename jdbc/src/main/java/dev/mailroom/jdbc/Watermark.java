package dev.mailroom.jdbc;

/**
 * Where one store's claims in one line begin to look: behind what they have seen already, so that
 * they do not walk over the remains of what was claimed before. A hint, for speed alone.
 *
 * <p>Something can turn up behind it: a transaction took its position early and committed late. So
 * a claim looks back, from the very start: always before it says that there is nothing, and besides
 * at least once in a while. While that is quick all of it is looked at; when it is slow, because a
 * long transaction of somebody keeps the remains from being removed, one slice at a time, with a
 * rest after each, so that about a tenth of the time goes into it.
 *
 * <p>Most that turns up late does so at once: a settlement numbers the turn that it gives to a
 * group, and commits a moment later. What was passed in the last moments is therefore looked at
 * first when nothing is ahead, and where that is cheap also in between.
 */
final class Watermark {
  /** The worst delay of a late commit while claims find enough ahead. */
  static final long INTERVAL_NANOS = 1_000_000_000L;

  /** What was passed within once or twice that time is recent. */
  static final long MOMENT_NANOS = 250_000_000L;

  private static final long SLOW_NANOS = 20_000_000L;
  private static final long QUICK_NANOS = 4_000_000L;
  private static final long LEAST_SLICE = 10_000;
  private static final int RESTS_PER_LOOK = 9;

  private long ahead;
  private long moment;
  private long momentBefore;
  private long momentBegan;
  private long back;
  private long slice = Long.MAX_VALUE;
  private long roundEndedAt;
  private long restsUntil;

  Watermark(long nanos) {
    this.momentBegan = nanos;
    this.roundEndedAt = nanos;
    this.restsUntil = nanos;
  }

  /** A part of the line: behind one position, up to another. */
  record Range(long after, long until) {
    /** The whole line. */
    static final Range ALL = new Range(0, Long.MAX_VALUE);

    boolean isEmpty() {
      return after >= until;
    }
  }

  /** Everything that was not seen yet. */
  synchronized Range ahead() {
    return new Range(ahead, Long.MAX_VALUE);
  }

  /** Something was seen up to there. */
  synchronized void advance(long position) {
    ahead = Math.max(ahead, position);
  }

  /** What was seen in the last moments. */
  synchronized Range recent(long nanos) {
    passMoment(nanos);
    return new Range(momentBefore, ahead);
  }

  /** What was not seen yet, and at the end of a moment what was seen in the last ones. */
  synchronized Range next(long nanos) {
    return new Range(passMoment(nanos) ? momentBefore : ahead, Long.MAX_VALUE);
  }

  private boolean passMoment(long nanos) {
    boolean passed = nanos - momentBegan >= MOMENT_NANOS;
    if (passed) {
      momentBefore = moment;
      moment = ahead;
      momentBegan = nanos;
    }
    return passed;
  }

  /** Whether it is time to look back although there is enough ahead. */
  synchronized boolean isLookDue(long nanos) {
    return ahead > 0 && nanos - roundEndedAt >= INTERVAL_NANOS && restLeft(nanos) == 0;
  }

  /** How long not to look back, because looking back is slow. */
  synchronized long restLeft(long nanos) {
    return Math.max(0, restsUntil - nanos);
  }

  /** The next part to look back at: all of it, or a slice. */
  synchronized Range behind() {
    long until = slice >= ahead - back ? ahead : back + slice;
    return new Range(back, until);
  }

  /** The part was looked at, which took so long; true if that was the end of the round. */
  synchronized boolean lookedAt(Range range, long nanos, long took) {
    long width = range.until() - range.after();
    if (took > SLOW_NANOS) {
      slice = Math.max(LEAST_SLICE, Math.min(slice, width) / 4);
    } else if (took < QUICK_NANOS && slice < Long.MAX_VALUE / 4) {
      slice *= 4;
    }
    long rest = Math.min(INTERVAL_NANOS, RESTS_PER_LOOK * took); // it may have waited for a lock
    restsUntil = took > QUICK_NANOS ? nanos + rest : nanos;
    back = range.until();
    boolean ended = back >= ahead;
    if (ended) {
      back = 0;
      roundEndedAt = nanos;
    }
    return ended;
  }
}
