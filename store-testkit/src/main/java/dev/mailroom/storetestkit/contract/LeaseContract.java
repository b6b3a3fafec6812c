package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.ClaimRequest.atMost;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rules 2 and 3: a lease is taken, extended and given back. */
abstract class LeaseContract extends StoreTestBase {

  LeaseContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void nothing_to_lease_is_an_empty_claim() {
    assertThat(channel().claim()).isEqualTo(new Claim(null, List.of(), null));
  }

  @Test
  void an_attempt_is_counted_when_the_lease_is_taken() {
    TestChannel channel = channel();
    channel.append(message("a"));

    assertThat(only(channel.lease()).progress().attempts()).isEqualTo(1);
  }

  @Test
  void a_leased_message_is_not_leased_twice() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.lease();

    channel.assertIdle();
    channel.onAnotherNode().assertIdle();
  }

  @Test
  void a_claim_takes_no_more_than_asked_for() {
    TestChannel channel = channel();
    channel.appendAll(many(10));
    Set<String> seen = new HashSet<>();

    for (int size : List.of(3, 3, 3, 1)) {
      List<String> labels = labels(channel.lease(3));
      assertThat(labels).hasSize(size);
      seen.addAll(labels);
    }

    assertThat(seen).hasSize(10);
    channel.assertIdle();
  }

  @Test
  void a_claim_takes_no_more_of_one_group_than_asked_for() {
    TestChannel channel = channel();
    channel.appendAll(
        message("a1").group("a"),
        message("a2").group("a"),
        message("a3").group("a"),
        message("b1").group("b"));

    assertThat(labels(channel.lease(request().perGroup(2)))).containsExactly("a1", "a2", "b1");
  }

  /** Rule 5: with an explicit final sort. */
  @Test
  void the_messages_of_a_lease_are_sorted_by_sequence() {
    TestChannel channel = channel();
    for (int i = 0; i < 5; i++) {
      channel.appendAll(message("x" + i).group("x"), message("y" + i).group("y"), message("z" + i));
    }
    channel.settle(channel.lease(7), OutcomeSamples.released());

    List<Long> sequences =
        channel.lease().messages().stream().map(each -> each.progress().sequence()).toList();

    assertThat(sequences).hasSize(15).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void a_worker_that_serves_one_tenant_gets_only_its_messages() {
    TestChannel channel = channel();
    channel.appendAll(
        message("none"),
        message("one").tenant("one"),
        message("two").tenant("two"),
        message("grouped").tenant("one").group("g"),
        message("other group").tenant("two").group("g"));

    assertThat(labels(channel.lease(request().tenant("one"))))
        .containsExactlyInAnyOrder("one", "grouped");
    assertThat(channel.claim(request().tenant("One")).lease()).isNull();
    assertThat(labels(channel.lease())).containsExactlyInAnyOrder("none", "two", "other group");
  }

  @Test
  void one_tenants_backlog_does_not_hide_another_tenants_message() {
    TestChannel channel = channel();
    for (MessageDraft draft : many(30)) {
      channel.append(draft.tenant("loud"));
    }
    channel.append(message("small").tenant("small"));

    assertThat(labels(channel.lease(request().limit(2).tenant("small")))).containsExactly("small");
  }

  @Test
  void every_claim_has_a_token_of_its_own() {
    TestChannel channel = channel();
    channel.appendAll(many(20));
    Set<UUID> tokens = new HashSet<>();

    for (int i = 0; i < 20; i++) {
      tokens.add(channel.lease(atMost(1).by("same worker")).token());
    }

    assertThat(tokens).hasSize(20);
  }

  @Test
  void a_message_that_is_leased_again_has_another_token() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease first = channel.settleNext(OutcomeSamples.released());

    assertThat(channel.lease().token()).isNotEqualTo(first.token());
  }

  @Test
  void an_expired_lease_is_held_until_it_is_reclaimed() {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.lease();
    advance(hours(1));

    channel.assertIdle();
    assertThat(channel.reclaim()).isEqualTo(1);
  }

  /** Rule 2: an expired lease that is not reclaimed may still settle. */
  @Test
  void an_expired_lease_that_is_not_reclaimed_still_settles() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(hours(1));

    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.reclaim()).isZero();
    channel.assertIdle();
  }

  @Test
  void an_extended_lease_lasts_from_now_on() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(LEASE.minusSeconds(1));

    assertThat(store.extend(channel.definition(), Set.of(lease.token()), LEASE)).isEmpty();

    advance(LEASE.minusSeconds(1));
    assertThat(channel.reclaim()).as("reclaimed before its time").isZero();
    advance(seconds(2));
    assertThat(channel.reclaim()).as("reclaimed after its time").isEqualTo(1);
  }

  @Test
  void extending_revives_an_expired_lease_that_is_not_reclaimed() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    advance(hours(1));

    assertThat(store.extend(channel.definition(), Set.of(lease.token()), LEASE)).isEmpty();
    assertThat(channel.reclaim()).isZero();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void extending_names_the_tokens_that_are_no_longer_held() {
    TestChannel channel = channel();
    channel.appendAll(many(4));
    Lease held = channel.lease(1);
    Lease settled = channel.lease(1);
    channel.settle(settled, OutcomeSamples.completed());
    Lease released = channel.lease(1);
    channel.settle(released, OutcomeSamples.released());
    UUID unknown = UUID.randomUUID();

    Set<UUID> lost =
        store.extend(
            channel.definition(),
            Set.of(held.token(), settled.token(), released.token(), unknown),
            LEASE);

    assertThat(lost).containsExactlyInAnyOrder(settled.token(), released.token(), unknown);
    assertThat(store.extend(channel.definition(), Set.of(), LEASE)).isEmpty();
  }

  @Test
  void releasing_gives_messages_back_at_once_and_counts_nothing() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b").group("g"), message("c").group("g"));
    Lease lease = channel.lease();

    assertThat(store.release(channel.definition(), Set.of(lease.token()))).isEqualTo(3);

    assertThat(channel.lease().messages())
        .hasSize(3)
        .extracting(Message::progress)
        .allSatisfy(
            progress -> {
              assertThat(progress.attempts()).isEqualTo(1);
              assertThat(progress.crashes()).isZero();
              assertThat(progress.deferrals()).isZero();
            });
  }

  @Test
  void releasing_gives_back_only_what_is_still_held() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"), message("c"));
    Lease lease = channel.lease();
    channel.settle(lease, "a", OutcomeSamples.completed());
    channel.settle(lease, "b", OutcomeSamples.retried(hours(1)));

    assertThat(store.release(channel.definition(), Set.of(lease.token()))).isEqualTo(1);
    assertThat(labels(channel.lease())).containsExactly("c");
  }

  @Test
  void releasing_what_is_not_held_changes_nothing() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease stale = channel.settleNext(OutcomeSamples.released());
    channel.lease();

    assertThat(store.release(channel.definition(), Set.of(stale.token(), UUID.randomUUID())))
        .isZero();
    assertThat(store.release(channel.definition(), Set.of())).isZero();
    channel.assertIdle();
  }

  @Test
  void the_rest_of_a_lease_is_held_while_others_of_it_are_settled() {
    TestChannel channel = channel();
    channel.appendAll(message("a"), message("b"));
    Lease lease = channel.lease();
    channel.settle(lease, "a", OutcomeSamples.completed());

    channel.assertIdle();
    assertThat(store.extend(channel.definition(), Set.of(lease.token()), LEASE)).isEmpty();
    assertThat(channel.settle(lease, "b", OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void one_hot_group_does_not_starve_the_rest() {
    TestChannel channel = channel();
    for (int i = 0; i < 30; i++) {
      channel.append(message("hot" + i).group("hot"));
    }
    channel.appendAll(message("cold").group("cold"), message("free"));

    assertThat(labels(channel.lease(atMost(4).perGroup(2))))
        .containsExactlyInAnyOrder("hot0", "hot1", "cold", "free");
  }

  private static MessageDraft[] many(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new);
  }
}
