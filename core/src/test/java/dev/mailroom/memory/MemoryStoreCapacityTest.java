package dev.mailroom.memory;

import static dev.mailroom.memory.Letters.CHANNEL;
import static dev.mailroom.memory.Letters.PLAIN;
import static dev.mailroom.memory.Letters.completed;
import static dev.mailroom.memory.Letters.key;
import static dev.mailroom.memory.Letters.letter;
import static dev.mailroom.memory.Letters.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.StoreFullException;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Purge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryStoreCapacityTest {
  private final HandTime time = new HandTime();
  private final MemoryStore store = MemoryStore.builder().time(time).capacity(3).build();

  @Test
  void aWriteOverTheCapacityIsRefusedAsAWhole() {
    store.append(CHANNEL, List.of(letter(PLAIN), letter(PLAIN)), null);

    assertThatThrownBy(() -> store.append(CHANNEL, List.of(letter(PLAIN), letter(PLAIN)), null))
        .isInstanceOf(StoreFullException.class)
        .hasMessageContaining("limit is 3")
        .hasMessageContaining("MemoryStore.Builder.capacity");

    assertThat(store.counts(CHANNEL).ready()).isEqualTo(2);
    assertThat(store.rows()).isEqualTo(2);
  }

  @Test
  void aRefusedWriteLeavesItsKeyFree() {
    store.append(CHANNEL, List.of(letter(PLAIN), letter(PLAIN)), null);
    NewMessage keyed = letter(key("k"));
    assertThatThrownBy(() -> store.append(CHANNEL, List.of(keyed), null))
        .isInstanceOf(StoreFullException.class);

    store.settle(CHANNEL, completed(store.lease(CHANNEL, upTo(2))));

    assertThat(store.append(CHANNEL, List.of(keyed), null).get(0).accepted()).isTrue();
    assertThat(store.rows()).isEqualTo(2);
  }

  @Test
  void deduplicationRecordsCountUntilTheyArePurged() {
    store.append(CHANNEL, List.of(letter(key("k"))), null);
    store.settle(CHANNEL, completed(store.lease(CHANNEL, upTo(1))));
    assertThat(store.rows()).isEqualTo(1);

    time.advance(Duration.ofDays(7));

    assertThat(store.purge(CHANNEL, Purge.DEDUPLICATION, 10)).isEqualTo(1);
    assertThat(store.rows()).isZero();
  }

  @Test
  void anOpenTransactionTakesRoomAndItsRollbackGivesItBack() {
    try (var transaction = store.begin()) {
      store.append(CHANNEL, List.of(letter(key("k")), letter(PLAIN)), transaction);
      assertThatThrownBy(() -> store.append(CHANNEL, List.of(letter(PLAIN)), null))
          .isInstanceOf(StoreFullException.class);
    }

    assertThat(store.rows()).isZero();
  }

  @Test
  void aCommitMayUseTheRoomThatItsSettlementsFree() {
    store.append(CHANNEL, List.of(letter(PLAIN), letter(PLAIN), letter(PLAIN)), null);
    Claim claim = store.lease(CHANNEL, upTo(3));

    store.commit(
        new Commit(
            List.of(new Commit.Settlements(CHANNEL, completed(claim))),
            List.of(new Commit.Appends(CHANNEL, List.of(letter(PLAIN), letter(PLAIN)))),
            List.of(),
            null));

    assertThat(store.rows()).isEqualTo(2);
  }

  @Test
  void aCommitThatIsRefusedForLackOfRoomChangesNothing() {
    store.append(CHANNEL, List.of(letter(PLAIN), letter(PLAIN), letter(PLAIN)), null);
    Claim claim = store.lease(CHANNEL, upTo(1));
    Commit commit =
        new Commit(
            List.of(new Commit.Settlements(CHANNEL, completed(claim))),
            List.of(new Commit.Appends(CHANNEL, List.of(letter(PLAIN), letter(PLAIN)))),
            List.of(),
            null);

    assertThatThrownBy(() -> store.commit(commit)).isInstanceOf(StoreFullException.class);

    assertThat(store.rows()).isEqualTo(3);
    assertThat(store.settle(CHANNEL, completed(claim))).isEmpty();
  }

  @Test
  void aCapacityBelowOneIsRefused() {
    assertThatThrownBy(() -> MemoryStore.builder().capacity(0).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("capacity is 0");
  }
}
