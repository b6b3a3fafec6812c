package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.StateChange;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Two things that exclude each other happen at once: one of them wins, whole. */
abstract class RaceContract extends StoreTestBase {
  private static final int ROUNDS = 15;

  RaceContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void settling_and_reclaiming_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      channel.append(message("a"));
      Lease lease = channel.lease();
      advance(LEASE.plusMillis(1));

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> channel.settle(lease, OutcomeSamples.completed()).isEmpty(),
                  () -> channel.onAnotherNode().reclaim() == 1));

      assertThat(won).as("settled, reclaimed").containsExactlyInAnyOrder(true, false);
      advance(minutes(2));
      assertThat(channel.drain()).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void extending_and_reclaiming_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      channel.append(message("a"));
      Lease lease = channel.lease();
      advance(LEASE.plusMillis(1));

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> store.extend(channel.definition(), Set.of(lease.token()), LEASE).isEmpty(),
                  () -> channel.onAnotherNode().reclaim() == 1));

      assertThat(won).as("extended, reclaimed").containsExactlyInAnyOrder(true, false);
      assertThat(channel.settle(lease, OutcomeSamples.completed())).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void cancelling_and_leasing_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      MessageDraft draft = message("a").key("k");
      channel.append(draft);

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> store.cancel(channel.definition(), Target.id(draft.id())),
                  () -> channel.onAnotherNode().claim().lease() != null));

      assertThat(won).as("cancelled, leased").containsExactlyInAnyOrder(true, false);
      assertThat(channel.append(message("b").key("k")).accepted())
          .as("the key is free if it was cancelled")
          .isEqualTo(won.get(0));
    }
  }

  @Test
  void settling_and_removing_by_force_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      MessageDraft head = message("a").group("g");
      channel.appendAll(head, message("b").group("g"));
      Lease lease = channel.lease(1);

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> channel.settle(lease, OutcomeSamples.completed()).isEmpty(),
                  () ->
                      fixture
                          .another()
                          .cancel(channel.definition(), Target.id(head.id()).includingLeased())));

      assertThat(won).as("settled, removed").containsExactlyInAnyOrder(true, false);
      assertThat(channel.drain()).as("its group goes on").containsExactly("b");
    }
  }

  @Test
  void concurrent_forced_reschedules_leave_one_message() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      MessageDraft head = message("a").group("g");
      channel.appendAll(head, message("b").group("g"));
      Lease lease = channel.lease(1);
      Target target = Target.id(head.id()).includingLeased();

      List<Boolean> taken =
          ConcurrentTasks.run(
              number -> () -> store.reschedule(channel.definition(), target, Due.NOW));

      assertThat(taken).containsOnly(true);
      assertThat(channel.settle(lease, OutcomeSamples.completed())).containsExactly(head.id());
      assertThat(channel.drain()).containsExactly("a", "b");
    }
  }

  @Test
  void collapsing_and_leasing_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      channel.append(message("old").collapse("c"));

      List<Object> results =
          ConcurrentTasks.run(
              List.of(
                  () -> channel.append(message("new").collapse("c")),
                  () -> channel.onAnotherNode().claim()));

      Lease lease = ((Claim) results.get(1)).lease();
      boolean newer = lease != null && TestChannel.labels(lease).contains("new");
      if (lease != null) {
        assertThat(channel.settle(lease, OutcomeSamples.completed()))
            .as("a lease is whole")
            .isEmpty();
      }
      assertThat(channel.drain()).isEqualTo(newer ? List.of() : List.of("new"));
    }
  }

  @Test
  void of_two_settlements_under_one_lease_one_is_reported_as_lost() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      channel.append(message("a"));
      Lease lease = channel.lease();

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> channel.settle(lease, OutcomeSamples.completed()).isEmpty(),
                  () -> channel.onAnotherNode().settle(lease, OutcomeSamples.dead()).isEmpty()));

      assertThat(won).as("completed, dead").containsExactlyInAnyOrder(true, false);
      assertThat(channel.dead()).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void a_dead_letter_is_redriven_or_discarded_once() throws Exception {
    TestChannel channel = channel();
    for (int i = 0; i < 20; i++) {
      channel.append(message("m" + i));
    }
    channel.settleNext(OutcomeSamples.dead());

    List<Integer> counts =
        ConcurrentTasks.run(
            thread ->
                () ->
                    thread % 2 == 0
                        ? channel.redrive(DeadLetterFilter.all())
                        : channel.onAnotherNode().discard(DeadLetterFilter.all()));

    assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    int redriven = counts.get(0) + counts.get(2) + counts.get(4) + counts.get(6);
    assertThat(channel.drain()).hasSize(redriven).doesNotHaveDuplicates();
    assertThat(channel.dead()).isEmpty();
  }

  @Test
  void of_many_commits_at_one_version_one_wins() throws Exception {
    StateKey key = new StateKey("process", UUID.randomUUID().toString());
    TestChannel channel = channel();
    int rounds = 5;
    for (int round = 0; round < rounds; round++) {
      int version = round;

      List<Boolean> won =
          ConcurrentTasks.run(thread -> () -> changes(channel, key, version, thread));

      assertThat(won).containsOnlyOnce(true);
    }
    StoredState state = store.state(key);
    assertThat(state).isNotNull().extracting(StoredState::version).isEqualTo((long) rounds);
    assertThat(channel.drain()).as("one append for every version").hasSize(rounds);
  }

  private boolean changes(TestChannel channel, StateKey key, long version, int thread) {
    Store handle = thread % 2 == 0 ? store : fixture.another();
    byte[] value = {(byte) thread};
    Payload payload = new Payload(new Contract("test.state", 1), "text/plain", value);
    List<Commit.Appends> appends =
        List.of(new Commit.Appends(channel.definition(), List.of(message("m").build())));
    try {
      handle.commit(
          new Commit(List.of(), appends, List.of(), new StateChange(key, version, payload)));
      return true;
    } catch (VersionConflictException e) {
      return false;
    }
  }

  @Test
  void releasing_and_settling_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      TestChannel channel = channel();
      channel.append(message("a").group("g"));
      Lease lease = channel.lease();
      UUID id = only(lease).id();

      List<Boolean> won =
          ConcurrentTasks.run(
              List.of(
                  () -> channel.settle(lease, OutcomeSamples.completed()).isEmpty(),
                  () -> store.release(channel.definition(), Set.of(lease.token())) == 1));

      assertThat(won).as("settled, released " + id).containsExactlyInAnyOrder(true, false);
      assertThat(channel.drain()).hasSize(won.get(0) ? 0 : 1);
    }
  }
}
