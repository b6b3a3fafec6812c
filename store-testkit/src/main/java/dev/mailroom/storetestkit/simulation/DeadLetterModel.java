package dev.mailroom.storetestkit.simulation;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.deadletters.DeadLetterPage;
import dev.mailroom.storetestkit.simulation.SimulatedMessage.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Updates the model after dead letters are read, redriven and discarded. */
final class DeadLetterModel {
  private final StoreModel model;

  /** The store's wall clock at simulated time zero. */
  private @Nullable Instant origin;

  DeadLetterModel(StoreModel model) {
    this.model = model;
  }

  void read(DeadLetterPage page) {
    origin = page.asOf().minusNanos(model.now());
    for (DeadLetter letter : page.letters()) {
      SimulatedMessage message = model.message(letter.id());
      if (!message.isDead()) {
        throw wrong(message + " is among the dead letters, but is " + message.state);
      }
    }
  }

  void redriven(DeadLetterFilter filter, int limit, int count, long called) {
    for (SimulatedMessage message : chosen(filter, limit, count)) {
      model.note("redrive " + message);
      message.state = State.LIVE;
      message.reset(model.now());
      message.mustExpireAt =
          SimulatedMessage.NEVER; // the contract does not say whether its lifetime starts again
      boolean keepsPosition = model.parksGroups() && model.groupOf(message) != null;
      if (!keepsPosition) {
        message.position =
            GroupPosition.pending(called, GroupPosition.IMMEDIATE)
                .assigned(model.moment(), model.now());
      }
    }
  }

  void discarded(DeadLetterFilter filter, int limit, int count) {
    for (SimulatedMessage message : chosen(filter, limit, count)) {
      model.note("discard " + message);
      message.state = State.DISCARDED;
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
    return model.failure(Invariant.NO_MESSAGE_LOST, what, null);
  }
}
