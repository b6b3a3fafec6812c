package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.LEASE;
import static dev.mailroom.storetestkit.contract.Request.atMost;
import static dev.mailroom.storetestkit.contract.Request.request;
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
abstract class LeaseContract extends Topic {

  LeaseContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void nothing_to_lease_is_an_empty_claim() {
    assertThat(line().claim()).isEqualTo(new Claim(null, List.of(), null));
  }

  @Test
  void an_attempt_is_counted_when_the_lease_is_taken() {
    Line line = line();
    line.append(message("a"));

    assertThat(only(line.lease()).progress().attempts()).isEqualTo(1);
  }

  @Test
  void what_one_holds_nobody_else_gets() {
    Line line = line();
    line.append(message("a"));
    line.lease();

    line.assertIdle();
    line.elsewhere().assertIdle();
  }

  @Test
  void a_claim_takes_no_more_than_asked_for() {
    Line line = line();
    line.appendAll(many(10));
    Set<String> seen = new HashSet<>();

    for (int size : List.of(3, 3, 3, 1)) {
      List<String> labels = labels(line.lease(3));
      assertThat(labels).hasSize(size);
      seen.addAll(labels);
    }

    assertThat(seen).hasSize(10);
    line.assertIdle();
  }

  @Test
  void a_claim_takes_no_more_of_one_group_than_asked_for() {
    Line line = line();
    line.appendAll(
        message("a1").group("a"),
        message("a2").group("a"),
        message("a3").group("a"),
        message("b1").group("b"));

    assertThat(labels(line.lease(request().perGroup(2)))).containsExactly("a1", "a2", "b1");
  }

  /** Rule 5: with an explicit final sort. */
  @Test
  void the_messages_of_a_lease_are_sorted_by_sequence() {
    Line line = line();
    for (int i = 0; i < 5; i++) {
      line.appendAll(message("x" + i).group("x"), message("y" + i).group("y"), message("z" + i));
    }
    line.settle(line.lease(7), Verdict.released());

    List<Long> sequences =
        line.lease().messages().stream().map(each -> each.progress().sequence()).toList();

    assertThat(sequences).hasSize(15).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void a_worker_that_serves_one_tenant_gets_only_its_messages() {
    Line line = line();
    line.appendAll(
        message("none"),
        message("one").tenant("one"),
        message("two").tenant("two"),
        message("grouped").tenant("one").group("g"),
        message("other group").tenant("two").group("g"));

    assertThat(labels(line.lease(request().tenant("one"))))
        .containsExactlyInAnyOrder("one", "grouped");
    assertThat(line.claim(request().tenant("One")).lease()).isNull();
    assertThat(labels(line.lease())).containsExactlyInAnyOrder("none", "two", "other group");
  }

  @Test
  void one_tenants_backlog_does_not_hide_another_tenants_message() {
    Line line = line();
    for (MessageDraft draft : many(30)) {
      line.append(draft.tenant("loud"));
    }
    line.append(message("quiet").tenant("quiet"));

    assertThat(labels(line.lease(request().limit(2).tenant("quiet")))).containsExactly("quiet");
  }

  @Test
  void every_claim_has_a_token_of_its_own() {
    Line line = line();
    line.appendAll(many(20));
    Set<UUID> tokens = new HashSet<>();

    for (int i = 0; i < 20; i++) {
      tokens.add(line.lease(atMost(1).by("same worker")).token());
    }

    assertThat(tokens).hasSize(20);
  }

  @Test
  void a_message_that_is_leased_again_has_another_token() {
    Line line = line();
    line.append(message("a"));
    Lease first = line.settleNext(Verdict.released());

    assertThat(line.lease().token()).isNotEqualTo(first.token());
  }

  @Test
  void an_expired_lease_is_held_until_it_is_reclaimed() {
    Line line = line();
    line.append(message("a"));
    line.lease();
    advance(hours(1));

    line.assertIdle();
    assertThat(line.reclaim()).isEqualTo(1);
  }

  /** Rule 2: an expired lease that nobody has reclaimed may still settle. */
  @Test
  void an_expired_lease_that_nobody_has_reclaimed_still_settles() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(hours(1));

    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    assertThat(line.reclaim()).isZero();
    line.assertIdle();
  }

  @Test
  void an_extended_lease_lasts_from_now_on() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(LEASE.minusSeconds(1));

    assertThat(store.extend(line.channel(), Set.of(lease.token()), LEASE)).isEmpty();

    advance(LEASE.minusSeconds(1));
    assertThat(line.reclaim()).as("reclaimed before its time").isZero();
    advance(seconds(2));
    assertThat(line.reclaim()).as("reclaimed after its time").isEqualTo(1);
  }

  @Test
  void extending_revives_an_expired_lease_that_nobody_has_reclaimed() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    advance(hours(1));

    assertThat(store.extend(line.channel(), Set.of(lease.token()), LEASE)).isEmpty();
    assertThat(line.reclaim()).isZero();
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void extending_names_the_tokens_that_are_no_longer_held() {
    Line line = line();
    line.appendAll(many(4));
    Lease held = line.lease(1);
    Lease settled = line.lease(1);
    line.settle(settled, Verdict.completed());
    Lease released = line.lease(1);
    line.settle(released, Verdict.released());
    UUID unknown = UUID.randomUUID();

    Set<UUID> lost =
        store.extend(
            line.channel(),
            Set.of(held.token(), settled.token(), released.token(), unknown),
            LEASE);

    assertThat(lost).containsExactlyInAnyOrder(settled.token(), released.token(), unknown);
    assertThat(store.extend(line.channel(), Set.of(), LEASE)).isEmpty();
  }

  @Test
  void releasing_gives_messages_back_at_once_and_counts_nothing() {
    Line line = line();
    line.appendAll(message("a"), message("b").group("g"), message("c").group("g"));
    Lease lease = line.lease();

    assertThat(store.release(line.channel(), Set.of(lease.token()))).isEqualTo(3);

    assertThat(line.lease().messages())
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
    Line line = line();
    line.appendAll(message("a"), message("b"), message("c"));
    Lease lease = line.lease();
    line.settle(lease, "a", Verdict.completed());
    line.settle(lease, "b", Verdict.retried(hours(1)));

    assertThat(store.release(line.channel(), Set.of(lease.token()))).isEqualTo(1);
    assertThat(labels(line.lease())).containsExactly("c");
  }

  @Test
  void releasing_what_is_not_held_changes_nothing() {
    Line line = line();
    line.append(message("a"));
    Lease stale = line.settleNext(Verdict.released());
    line.lease();

    assertThat(store.release(line.channel(), Set.of(stale.token(), UUID.randomUUID()))).isZero();
    assertThat(store.release(line.channel(), Set.of())).isZero();
    line.assertIdle();
  }

  @Test
  void the_rest_of_a_lease_is_held_while_others_of_it_are_settled() {
    Line line = line();
    line.appendAll(message("a"), message("b"));
    Lease lease = line.lease();
    line.settle(lease, "a", Verdict.completed());

    line.assertIdle();
    assertThat(store.extend(line.channel(), Set.of(lease.token()), LEASE)).isEmpty();
    assertThat(line.settle(lease, "b", Verdict.completed())).isEmpty();
  }

  @Test
  void one_hot_group_does_not_starve_the_rest() {
    Line line = line();
    for (int i = 0; i < 30; i++) {
      line.append(message("hot" + i).group("hot"));
    }
    line.appendAll(message("cold").group("cold"), message("free"));

    assertThat(labels(line.lease(atMost(4).perGroup(2))))
        .containsExactlyInAnyOrder("hot0", "hot1", "cold", "free");
  }

  private static MessageDraft[] many(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new);
  }
}
