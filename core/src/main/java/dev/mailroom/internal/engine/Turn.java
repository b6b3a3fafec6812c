package dev.mailroom.internal.engine;

import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Outcome;

/** The turn of a group: its first messages, worked on in order. */
public final class Turn {

  private Turn() {}

  /** Whether the messages behind one with this outcome must wait. */
  public static boolean isHeldUpBy(Outcome outcome, Channel channel) {
    if (outcome instanceof Outcome.Dead) {
      return channel.policy().afterDeadLetter() == AfterDeadLetter.PARK;
    }
    return outcome instanceof Outcome.Retried || outcome instanceof Outcome.Released;
  }
}
