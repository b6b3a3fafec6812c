package dev.mailroom.storetestkit.simulation;

import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.contract.StoreFixture;
import dev.mailroom.test.ManualTime;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/** The in-memory store under simulation, as it is or broken on purpose. */
final class MemoryFixture {

  private MemoryFixture() {}

  static StoreFixture open(RandomGenerator random) {
    ManualTime time = new ManualTime();
    return StoreFixture.of(store(time, random), time);
  }

  static StoreOpener broken(BiFunction<Store, ManualTime, Mutant> mutation) {
    return random -> {
      ManualTime time = new ManualTime();
      Mutant mutant = mutation.apply(store(time, random), time);
      return StoreFixture.of(mutant.withCapabilities(), time);
    };
  }

  private static Store store(ManualTime time, RandomGenerator random) {
    return MemoryStore.builder().time(time).random(random).build();
  }
}
