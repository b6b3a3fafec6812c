package dev.mailroom.storetestkit.simulation;

import java.util.SplittableRandom;

/**
 * What the handler does with a message: the first {@code times} calls end with {@code reaction},
 * later ones succeed.
 */
record HandlerBehaviour(Reaction reaction, int times) {

  private static final int ALWAYS = Integer.MAX_VALUE;

  enum Reaction {
    SUCCEED,
    FAIL,
    LEAVE_OUT,
    THROW,
    THROW_PERMANENTLY,
    DEFER,
    DEAD_LETTER,
    CRASH
  }

  static HandlerBehaviour draw(SplittableRandom random) {
    int roll = random.nextInt(100);
    int some = 1 + random.nextInt(3);
    if (roll < 66) {
      return new HandlerBehaviour(Reaction.SUCCEED, ALWAYS);
    } else if (roll < 74) {
      return new HandlerBehaviour(Reaction.FAIL, some);
    } else if (roll < 77) {
      return new HandlerBehaviour(Reaction.LEAVE_OUT, some);
    } else if (roll < 82) {
      return new HandlerBehaviour(Reaction.THROW, some);
    } else if (roll < 84) {
      return new HandlerBehaviour(Reaction.THROW_PERMANENTLY, some);
    } else if (roll < 89) {
      return new HandlerBehaviour(Reaction.DEFER, some);
    } else if (roll < 91) {
      return new HandlerBehaviour(Reaction.DEAD_LETTER, some);
    } else if (roll < 94) {
      return new HandlerBehaviour(Reaction.CRASH, some);
    }
    return new HandlerBehaviour(poison(roll), ALWAYS);
  }

  private static Reaction poison(int roll) {
    return switch (roll) {
      case 94, 95 -> Reaction.FAIL;
      case 96 -> Reaction.THROW;
      case 97 -> Reaction.DEFER;
      case 98 -> Reaction.DEAD_LETTER;
      default -> Reaction.CRASH;
    };
  }

  /** What happens at the {@code call}-th call, from 1. */
  Reaction at(int call) {
    return call <= times ? reaction : Reaction.SUCCEED;
  }
}
