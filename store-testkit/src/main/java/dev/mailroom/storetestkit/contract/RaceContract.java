package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.LEASE;
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
abstract class RaceContract extends Topic {
  private static final int ROUNDS = 15;

  RaceContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void settling_and_reclaiming_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      line.append(message("a"));
      Lease lease = line.lease();
      advance(LEASE.plusMillis(1));

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> line.settle(lease, Verdict.completed()).isEmpty(),
                  () -> line.elsewhere().reclaim() == 1));

      assertThat(won).as("settled, reclaimed").containsExactlyInAnyOrder(true, false);
      advance(minutes(2));
      assertThat(line.drain()).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void extending_and_reclaiming_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      line.append(message("a"));
      Lease lease = line.lease();
      advance(LEASE.plusMillis(1));

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> store.extend(line.channel(), Set.of(lease.token()), LEASE).isEmpty(),
                  () -> line.elsewhere().reclaim() == 1));

      assertThat(won).as("extended, reclaimed").containsExactlyInAnyOrder(true, false);
      assertThat(line.settle(lease, Verdict.completed())).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void cancelling_and_leasing_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      MessageDraft draft = message("a").key("k");
      line.append(draft);

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> store.cancel(line.channel(), Target.id(draft.id())),
                  () -> line.elsewhere().claim().lease() != null));

      assertThat(won).as("cancelled, leased").containsExactlyInAnyOrder(true, false);
      assertThat(line.append(message("b").key("k")).accepted())
          .as("the key is free if it was cancelled")
          .isEqualTo(won.get(0));
    }
  }

  @Test
  void settling_and_removing_by_force_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      MessageDraft head = message("a").group("g");
      line.appendAll(head, message("b").group("g"));
      Lease lease = line.lease(1);

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> line.settle(lease, Verdict.completed()).isEmpty(),
                  () ->
                      fixture
                          .another()
                          .cancel(line.channel(), Target.id(head.id()).includingLeased())));

      assertThat(won).as("settled, removed").containsExactlyInAnyOrder(true, false);
      assertThat(line.drain()).as("its group goes on").containsExactly("b");
    }
  }

  @Test
  void many_who_take_one_message_by_force_leave_one_message() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      MessageDraft head = message("a").group("g");
      line.appendAll(head, message("b").group("g"));
      Lease lease = line.lease(1);
      Target target = Target.id(head.id()).includingLeased();

      List<Boolean> taken =
          Together.run(number -> () -> store.reschedule(line.channel(), target, Due.NOW));

      assertThat(taken).containsOnly(true);
      assertThat(line.settle(lease, Verdict.completed())).containsExactly(head.id());
      assertThat(line.drain()).containsExactly("a", "b");
    }
  }

  @Test
  void collapsing_and_leasing_exclude_each_other() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      line.append(message("old").collapse("c"));

      List<Object> results =
          Together.run(
              List.of(
                  () -> line.append(message("new").collapse("c")), () -> line.elsewhere().claim()));

      Lease lease = ((Claim) results.get(1)).lease();
      boolean newer = lease != null && Line.labels(lease).contains("new");
      if (lease != null) {
        assertThat(line.settle(lease, Verdict.completed())).as("a lease is whole").isEmpty();
      }
      assertThat(line.drain()).isEqualTo(newer ? List.of() : List.of("new"));
    }
  }

  @Test
  void of_two_that_settle_under_one_lease_one_is_told_that_it_is_lost() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Line line = line();
      line.append(message("a"));
      Lease lease = line.lease();

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> line.settle(lease, Verdict.completed()).isEmpty(),
                  () -> line.elsewhere().settle(lease, Verdict.dead()).isEmpty()));

      assertThat(won).as("completed, dead").containsExactlyInAnyOrder(true, false);
      assertThat(line.dead()).hasSize(won.get(0) ? 0 : 1);
    }
  }

  @Test
  void a_dead_letter_is_redriven_or_discarded_once() throws Exception {
    Line line = line();
    for (int i = 0; i < 20; i++) {
      line.append(message("m" + i));
    }
    line.settleNext(Verdict.dead());

    List<Integer> counts =
        Together.run(
            thread ->
                () ->
                    thread % 2 == 0
                        ? line.redrive(DeadLetterFilter.all())
                        : line.elsewhere().discard(DeadLetterFilter.all()));

    assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    int redriven = counts.get(0) + counts.get(2) + counts.get(4) + counts.get(6);
    assertThat(line.drain()).hasSize(redriven).doesNotHaveDuplicates();
    assertThat(line.dead()).isEmpty();
  }

  @Test
  void of_many_commits_at_one_version_one_wins() throws Exception {
    StateKey key = new StateKey("process", UUID.randomUUID().toString());
    Line line = line();
    int rounds = 5;
    for (int round = 0; round < rounds; round++) {
      int version = round;

      List<Boolean> won = Together.run(thread -> () -> changes(line, key, version, thread));

      assertThat(won).containsOnlyOnce(true);
    }
    StoredState state = store.state(key);
    assertThat(state).isNotNull().extracting(StoredState::version).isEqualTo((long) rounds);
    assertThat(line.drain()).as("one append for every version").hasSize(rounds);
  }

  private boolean changes(Line line, StateKey key, long version, int thread) {
    Store handle = thread % 2 == 0 ? store : fixture.another();
    byte[] value = {(byte) thread};
    Payload payload = new Payload(new Contract("test.state", 1), "text/plain", value);
    List<Commit.Appends> appends =
        List.of(new Commit.Appends(line.channel(), List.of(message("m").build())));
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
      Line line = line();
      line.append(message("a").group("g"));
      Lease lease = line.lease();
      UUID id = only(lease).id();

      List<Boolean> won =
          Together.run(
              List.of(
                  () -> line.settle(lease, Verdict.completed()).isEmpty(),
                  () -> store.release(line.channel(), Set.of(lease.token())) == 1));

      assertThat(won).as("settled, released " + id).containsExactlyInAnyOrder(true, false);
      assertThat(line.drain()).hasSize(won.get(0) ? 0 : 1);
    }
  }
}
