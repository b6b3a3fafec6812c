package dev.mailroom.jdbc.process;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.Transactional;
import dev.mailroom.spi.Transactional.OpenTransaction;
import dev.mailroom.storetestkit.TestMessages;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller's transaction that replaces a message of an ordered group, and takes its time. */
class ReplacingTransactionTest {
  private static final Channel CHANNEL =
      new Channel("replacing", Ordering.REQUIRED, ChannelPolicy.defaults());

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void others_do_not_wait_for_it_and_the_group_does_not_go_past_it(Product product) {
    // A statement that waits for the transaction fails after a while.
    try (SimulatedNodes nodes = new SimulatedNodes(product, true)) {
      Store store = nodes.store();
      store.append(
          CHANNEL,
          List.of(
              message("a").group("g").collapse("k").build(),
              message("b").group("g").build(),
              message("c").group("h").build()),
          null);
      try (OpenTransaction transaction = ((Transactional) store).begin()) {
        store.append(CHANNEL, List.of(message("d").group("h").collapse("k").build()), transaction);

        assertThat(lease(nodes.another())).containsExactly("c");
        assertThat(lease(nodes.another())).isEmpty();
      } // rolled back: nothing was replaced
      assertThat(lease(nodes.another())).containsExactly("a", "b");
    }
  }

  private static List<String> lease(Store store) {
    LeaseRequest request = new LeaseRequest("w", 10, 10, Duration.ofMinutes(1), null, true);
    Lease lease = store.lease(CHANNEL, request).lease();
    return lease == null ? List.of() : TestMessages.labels(lease.messages());
  }
}
