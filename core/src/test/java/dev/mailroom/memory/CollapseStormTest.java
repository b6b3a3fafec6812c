package dev.mailroom.memory;

import static dev.mailroom.memory.Letters.CHANNEL;
import static dev.mailroom.memory.Letters.drain;
import static dev.mailroom.memory.Letters.letter;
import static dev.mailroom.memory.Letters.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollapseStormTest {
  private final HandTime time = new HandTime();
  private final MemoryStore store = MemoryStore.builder().time(time).capacity(100).build();

  @Test
  void manyVersionsOfOneMessageNeverFillTheStore() {
    NewMessage last = letter(collapsing("g"));
    for (int i = 0; i < 10_000; i++) {
      store.append(CHANNEL, List.of(letter(collapsing(null))), null);
      store.append(CHANNEL, List.of(letter(collapsing("g"), Duration.ofHours(1))), null);
    }
    store.append(CHANNEL, List.of(last), null);

    assertThat(store.rows()).isEqualTo(1);
    assertThat(store.counts(CHANNEL).scheduled()).isZero();
    assertThat(store.lease(CHANNEL, upTo(10)).lease().messages())
        .extracting(message -> message.id())
        .containsExactly(last.id());
  }

  @Test
  void aVersionThatIsRetriedIsReplacedWhileItWaits() {
    store.append(CHANNEL, List.of(letter(collapsing("g"))), null);
    for (int i = 0; i < 1_000; i++) {
      Claim claim = store.lease(CHANNEL, upTo(1));
      Outcome retried =
          new Outcome.Retried(
              Duration.ofHours(1), LastError.of("failed", "no"), Outcome.Counts.ATTEMPT);
      store.settle(
          CHANNEL,
          List.of(
              new Settlement(
                  claim.lease().messages().get(0).id(), claim.lease().token(), retried)));
      store.append(CHANNEL, List.of(letter(collapsing("g"))), null);
    }

    assertThat(store.rows()).isEqualTo(1);
    assertThat(drain(store, CHANNEL)).isEqualTo(1);
    assertThat(store.rows()).isZero();
    assertThat(store.rows(CHANNEL).tenantQueues.size()).isZero();
  }

  private static Routing collapsing(String group) {
    return new Routing("tenant", group, null, "latest");
  }
}
