package dev.mailroom.memory;

import static dev.mailroom.memory.Letters.CHANNEL;
import static dev.mailroom.memory.Letters.completed;
import static dev.mailroom.memory.Letters.drain;
import static dev.mailroom.memory.Letters.letter;
import static dev.mailroom.memory.Letters.tenant;
import static dev.mailroom.memory.Letters.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenantFairnessTest {
  private final HandTime time = new HandTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  @Test
  void aTenantsBacklogDelaysNoOtherTenant() {
    append(1_000, tenant("busy"));
    append(2, tenant("quiet"));
    append(1, Routing.NONE);

    Claim claim = store.lease(CHANNEL, upTo(6));

    assertThat(claim.lease().messages())
        .extracting(message -> message.routing().tenant())
        .containsExactlyInAnyOrder("busy", "busy", "busy", "quiet", "quiet", null);
  }

  @Test
  void tenantsTakeTurnsAcrossClaims() {
    append(10, tenant("a"));
    append(10, tenant("b"));

    List<String> turns = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Claim claim = store.lease(CHANNEL, upTo(1));
      turns.add(claim.lease().messages().get(0).routing().tenant());
    }

    assertThat(turns).containsExactly("a", "b", "a", "b", "a", "b");
  }

  @Test
  void aClaimForOneTenantGetsNothingElse() {
    append(5, tenant("a"));
    append(5, tenant("b"));
    LeaseRequest onlyB = new LeaseRequest("worker", 10, 10, Duration.ofMinutes(1), "b", true);

    assertThat(store.lease(CHANNEL, onlyB).lease().messages())
        .hasSize(5)
        .allMatch(message -> "b".equals(message.routing().tenant()));
    assertThat(store.lease(CHANNEL, onlyB).lease()).isNull();
  }

  @Test
  void groupsTakeTurns() {
    append(100, new Routing(null, "hot", null, null));
    append(1, new Routing(null, "cold", null, null));
    LeaseRequest two = new LeaseRequest("worker", 2, 2, Duration.ofMinutes(1), null, true);

    Claim first = store.lease(CHANNEL, two);
    store.settle(CHANNEL, completed(first));
    Claim second = store.lease(CHANNEL, two);

    assertThat(first.lease().messages()).extracting(TenantFairnessTest::group).containsOnly("hot");
    assertThat(second.lease().messages())
        .extracting(TenantFairnessTest::group)
        .containsExactlyInAnyOrder("cold", "hot");
  }

  @Test
  void aTenantThatHasNothingLeftLeavesNothing() {
    append(3, tenant("a"));
    append(3, new Routing("b", "g", null, "c"));

    drain(store, CHANNEL);

    assertThat(store.rows(CHANNEL).tenantQueues.size()).isZero();
    assertThat(store.rows()).isZero();
  }

  private void append(int count, Routing routing) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(letter(routing));
    }
    store.append(CHANNEL, messages, null);
  }

  private static String group(Message message) {
    return message.routing().groupKey();
  }
}
