package dev.mailroom.storetestkit.contract;

import dev.mailroom.memory.MemoryStore;
import dev.mailroom.test.ManualTime;
import org.junit.jupiter.api.Nested;

/** The in-memory store keeps the whole contract. */
class MemoryStoreContractTest extends StoreContract {

  @Override
  protected StoreFixture open() {
    ManualTime time = new ManualTime();
    return StoreFixture.of(MemoryStore.builder().time(time).build(), time);
  }

  @Nested
  class MemoryTransactions extends Transactions {}

  @Nested
  class MemoryOverlappingTransactions extends OverlappingTransactions {}

  @Nested
  class MemoryWaking extends Waking {}

  @Nested
  class MemoryWakingAfterCommit extends WakingAfterCommit {}

  @Nested
  class MemoryInspection extends Inspection {}
}
