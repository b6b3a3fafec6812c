package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the model makes of dead letters. */
final class Graves {
  private final Model model;

  /** What the store's wall clock shows when no simulated time has passed. */
  private @Nullable Instant origin;

  Graves(Model model) {
    this.model = model;
  }

  void read(DeadLetterPage page) {
    origin = page.asOf().minusNanos(model.now());
    for (DeadLetter letter : page.letters()) {
      SimulatedMessage message = model.message(letter.id());
      if (!message.isDead()) {
        throw wrong(message + " is among the dead letters, but is " + message.fate);
      }
    }
  }

  void redriven(DeadLetterFilter filter, int limit, int count, long called) {
    for (SimulatedMessage message : chosen(filter, limit, count)) {
      model.note("redrive " + message);
      message.fate = Fate.LIVE;
      message.begin(model.now());
      message.mustExpireAt = SimulatedMessage.NEVER; // whether its lifetime starts anew is not said
      boolean keepsPlace = model.parks() && model.groupOf(message) != null;
      if (!keepsPlace) {
        message.place = Place.open(called, Place.AT_ONCE).taken(model.moment(), model.now());
      }
    }
  }

  void discarded(DeadLetterFilter filter, int limit, int count) {
    for (SimulatedMessage message : chosen(filter, limit, count)) {
      model.note("discard " + message);
      message.fate = Fate.DISCARDED;
    }
  }

  private List<SimulatedMessage> chosen(DeadLetterFilter filter, int limit, int count) {
    List<SimulatedMessage> chosen = new ArrayList<>();
    for (SimulatedMessage message : model.messages()) {
      boolean named = filter.ids().isEmpty() || filter.ids().contains(message.id);
      if (message.isDead() && named && deadLetteredUntil(filter.deadLetteredUntil(), message)) {
        chosen.add(message);
      }
    }
    if (chosen.size() != count || count > limit) {
      throw wrong(count + " dead letters were found, but these match: " + chosen);
    }
    model.changed();
    return chosen;
  }

  private boolean deadLetteredUntil(@Nullable Instant until, SimulatedMessage message) {
    return until == null
        || origin == null
        || Duration.between(origin, until).toNanos() >= message.deadLetteredAt;
  }

  private SimulationFailure wrong(String what) {
    return model.failure(Invariant.NOTHING_LOST, what, null);
  }
}
