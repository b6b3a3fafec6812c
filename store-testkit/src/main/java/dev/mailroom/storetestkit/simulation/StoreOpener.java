package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.contract.StoreFixture;
import java.util.random.RandomGenerator;

/** Opens the store that is simulated. */
@FunctionalInterface
public interface StoreOpener {

  /**
   * A store that holds nothing in the channel {@code simulation-} and the seed, with its clock in
   * the fixture's hand. The simulation closes it.
   *
   * @param random for whatever the store does at random, so that a seed replays
   */
  StoreFixture open(RandomGenerator random);
}
