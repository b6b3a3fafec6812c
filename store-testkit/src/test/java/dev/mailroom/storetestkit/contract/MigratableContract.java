package dev.mailroom.storetestkit.contract;

import dev.mailroom.memory.MemoryStore;
import dev.mailroom.test.ManualTime;
import org.junit.jupiter.api.Nested;

/**
 * The suite over a store whose only capability is that it can be migrated. Not run by itself:
 * {@link ContractSuiteCatchesMutantsTest} runs it.
 */
class MigratableContract extends StoreContract {

  @Override
  protected StoreFixture open() {
    ManualTime time = new ManualTime();
    MemoryStore memory = MemoryStore.builder().time(time).build();
    return StoreFixture.of(new BrokenOutcomes.UntestedCapability(memory), time);
  }

  @Nested
  class Migrating extends Migration {}
}
