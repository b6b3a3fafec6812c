package dev.mailroom.messages;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** When a message becomes visible: at a time, or after a delay that the store's clock measures. */
public sealed interface Due {

  /** As soon as it is stored. */
  Due NOW = new After(Duration.ZERO);

  /** At that time by the store's clock; a time in the past means now. */
  static Due at(Instant time) {
    return new At(time);
  }

  /**
   * That long after the store accepts it.
   *
   * @throws InvalidOptionsException if the delay is negative
   */
  static Due after(Duration delay) {
    return delay.isZero() ? NOW : new After(delay);
  }

  /** The instant this means for a store whose clock shows {@code now}. */
  Instant resolve(Instant now);

  /**
   * At a time.
   *
   * @param time by the store's clock
   */
  record At(Instant time) implements Due {
    /** Refuses null. */
    public At {
      Objects.requireNonNull(time, "time");
    }

    @Override
    public Instant resolve(Instant now) {
      return time.isBefore(now) ? now : time;
    }
  }

  /**
   * After a delay.
   *
   * @param delay measured by the store's clock from the moment it accepts the message; not negative
   */
  record After(Duration delay) implements Due {
    /** Refuses null and negative delays. */
    public After {
      Objects.requireNonNull(delay, "delay");
      if (delay.isNegative()) { // the hot path makes nothing to check it with
        Violations violations = new Violations("Due");
        violations.notNegative("delay", delay);
        violations.raise();
      }
    }

    @Override
    public Instant resolve(Instant now) {
      return delay.isZero() ? now : now.plus(delay);
    }
  }
}
