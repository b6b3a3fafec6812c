package dev.mailroom.webhooks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state of one handler of a chain, as stored in its checkpoint.
 *
 * @param succeeded whether it need not run again
 * @param failures how often it has failed
 * @param attempt the message's attempt in which that was
 */
record StepRecord(boolean succeeded, int failures, int attempt) {
  private static final StepRecord NONE = new StepRecord(false, 0, 0);
  private static final Pattern TEXT =
      Pattern.compile("(succeeded|failed):([0-9]{1,9})@([0-9]{1,9})");

  /** It has succeeded, after this many failures. */
  static String success(int failures, int attempt) {
    return "succeeded:" + failures + "@" + attempt;
  }

  /** It has failed this many times. */
  static String failure(int failures, int attempt) {
    return "failed:" + failures + "@" + attempt;
  }

  /** Parses a checkpoint; a missing or unknown one means that the handler has not run. */
  static StepRecord of(@Nullable String checkpoint) {
    Matcher matcher = TEXT.matcher(checkpoint == null ? "" : checkpoint);
    return matcher.matches()
        ? new StepRecord(
            matcher.group(1).equals("succeeded"),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3)))
        : NONE;
  }

  /**
   * How many failures count in the message's present attempt. A failure whose outcome was not
   * stored, because its process died or was stopped, does not count: the message's attempt was
   * given back. A redrive resets the message to its first attempt, and so the handler.
   */
  int failuresBefore(int present) {
    if (present > attempt) {
      return failures;
    }
    return present == attempt ? Math.max(0, failures - 1) : 0;
  }
}
