package dev.mailroom.spi;

import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into a store.
 *
 * @param envelope what the writer decided
 * @param schedule when it becomes visible and how long it lives
 * @param strict true makes a duplicate with other content an error instead of a quiet duplicate
 * @param fresh true says that its id was made for it alone and that no store has been given it yet:
 *     a store need not look whether it is there already. A caller that gives it to a store again
 *     passes {@link #again()}
 */
public record NewMessage(Envelope envelope, Schedule schedule, boolean strict, boolean fresh) {

  /** Refuses null. */
  public NewMessage {
    Objects.requireNonNull(envelope, "envelope");
    Objects.requireNonNull(schedule, "schedule");
  }

  /** A message that may be stored already. */
  public NewMessage(Envelope envelope, Schedule schedule, boolean strict) {
    this(envelope, schedule, strict, false);
  }

  /** Visible at once, for ever, not strict. */
  public static NewMessage of(Envelope envelope) {
    return new NewMessage(envelope, Schedule.NOW, false);
  }

  /** The same for another try, since the one before may have taken effect. */
  public NewMessage again() {
    return fresh ? new NewMessage(envelope, schedule, strict) : this;
  }

  /** The message's identity. */
  public UUID id() {
    return envelope.id();
  }

  /**
   * When a message becomes visible and how long it lives.
   *
   * @param due when it becomes visible
   * @param lifetime how long after its creation it may still be handled; null means for ever
   * @param receivedAt when the application says it came in; null means when the store accepts it
   */
  public record Schedule(Due due, @Nullable Duration lifetime, @Nullable Instant receivedAt) {

    /** Visible at once, for ever. */
    public static final Schedule NOW = new Schedule(Due.NOW, null, null);

    /** Checks the lifetime. */
    public Schedule {
      Objects.requireNonNull(due, "due");
      if (lifetime != null) { // the hot path has none, and makes nothing to check it with
        Violations violations = new Violations("Schedule");
        violations.positive("lifetime", lifetime);
        violations.raise();
      }
    }
  }
}
