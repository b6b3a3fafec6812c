package dev.mailroom.storetestkit.simulation;

import dev.mailroom.storetestkit.contract.StoreFixture;
import java.util.random.RandomGenerator;

/** Opens the store that is simulated. */
@FunctionalInterface
public interface StoreOpener {

  /**
   * A store that holds nothing in the channel {@code simulation-} and the seed, whose clock the
   * fixture controls. The simulation closes it.
   *
   * @param random the store's source of randomness, so that a seed replays
   */
  StoreFixture open(RandomGenerator random);
}
