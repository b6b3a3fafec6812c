package dev.mailroom.memory;

import dev.mailroom.spi.Inspectable.Counts;
import dev.mailroom.spi.Inspectable.Found;
import dev.mailroom.spi.Inspectable.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks into one channel. */
final class Inspection {
  private static final int MOVES = 1_000;

  private final MemoryChannel channel;
  private final Instant now;

  Inspection(MemoryChannel channel, Instant now) {
    this.channel = channel;
    this.now = now;
  }

  /** The counts, or nothing if more is due than could be moved in one go. */
  Optional<Counts> counts() {
    Placement placement = channel.placement;
    placement.moveDue(now, MOVES);
    Instant nextDue = placement.nextDue();
    if (nextDue != null && !nextDue.isAfter(now)) {
      return Optional.empty();
    }
    Census census = placement.census;
    return Optional.of(
        new Counts(census.ready, census.scheduled, census.leased, census.dead, oldestDue()));
  }

  Optional<Found> find(UUID id) {
    Entry entry = channel.byId.get(id);
    if (entry == null || entry.standing == Standing.STAGED) {
      entry = channel.history.find(id);
    }
    return entry == null
        ? Optional.empty()
        : Optional.of(new Found(entry.toMessage(channel.name), state(entry)));
  }

  private @Nullable Duration oldestDue() {
    Entry oldest = channel.placement.oldestReady();
    if (oldest == null) {
      return null;
    }
    Instant due = oldest.timing.visibleAt();
    return due.isAfter(now) ? Duration.ZERO : Duration.between(due, now);
  }

  private State state(Entry entry) {
    return switch (entry.standing) {
      case READY -> State.READY;
      case SCHEDULED -> entry.timing.visibleAt().isAfter(now) ? State.SCHEDULED : State.READY;
      case LEASED -> State.LEASED;
      case DEAD -> State.DEAD;
      case COMPLETED -> State.COMPLETED;
      case STAGED, GONE ->
          throw new IllegalStateException("Message " + entry.id() + " is " + entry.standing);
    };
  }
}
