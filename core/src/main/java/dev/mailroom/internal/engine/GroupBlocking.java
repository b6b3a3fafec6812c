package dev.mailroom.internal.engine;

import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;

/** Decides when a message blocks its group. */
public final class GroupBlocking {

  private GroupBlocking() {}

  /** Whether a message with this outcome blocks the messages behind it. */
  public static boolean isBlockedBy(Outcome outcome, Channel channel) {
    if (outcome instanceof Outcome.Dead) {
      return channel.policy().afterDeadLetter() == AfterDeadLetter.PARK;
    }
    return outcome instanceof Outcome.Retried || outcome instanceof Outcome.Released;
  }
}
