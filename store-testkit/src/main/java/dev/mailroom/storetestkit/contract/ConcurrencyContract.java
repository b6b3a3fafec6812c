package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.ClaimRequest.atMost;
import static dev.mailroom.storetestkit.contract.ConcurrentTasks.THREADS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.storetestkit.MessageDraft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many writers and many workers at once, through every handle there is. */
abstract class ConcurrencyContract extends StoreTestBase {
  private static final int ROUNDS = 10;

  ConcurrencyContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** Half of the threads work through the second handle. */
  private static TestChannel seenBy(int thread, TestChannel channel) {
    return thread % 2 == 0 ? channel : channel.onAnotherNode();
  }

  private static MessageDraft[] many(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new);
  }

  @Test
  void workers_lease_disjoint_messages_and_leave_none() throws Exception {
    TestChannel channel = channel();
    channel.appendAll(many(200));

    List<List<Message>> taken =
        ConcurrentTasks.run(thread -> () -> drainInSteps(seenBy(thread, channel)));

    List<UUID> ids = taken.stream().flatMap(List::stream).map(Message::id).toList();
    assertThat(ids).hasSize(200).doesNotHaveDuplicates();
    channel.assertIdle();
  }

  private static List<Message> drainInSteps(TestChannel channel) {
    List<Message> taken = new ArrayList<>();
    for (Lease lease = channel.claim(atMost(5)).lease();
        lease != null;
        lease = channel.claim(atMost(5)).lease()) {
      taken.addAll(lease.messages());
      assertThat(channel.settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
    }
    return taken;
  }

  /** Rule 4: append and deduplication are one atomic step. */
  @Test
  void of_many_writers_with_one_key_exactly_one_is_accepted() throws Exception {
    TestChannel channel = channel();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "key-" + round;

      List<AppendResult> results =
          ConcurrentTasks.run(
              thread -> () -> seenBy(thread, channel).append(message(key).key(key)));

      assertThat(results).filteredOn(AppendResult::accepted).hasSize(1);
      assertThat(results).extracting(AppendResult::id).containsOnly(results.get(0).id());
    }
    assertThat(channel.drain()).hasSize(ROUNDS);
  }

  @Test
  void of_many_writers_with_one_id_exactly_one_is_accepted() throws Exception {
    TestChannel channel = channel();
    for (int round = 0; round < ROUNDS; round++) {
      UUID id = UUID.randomUUID();

      List<AppendResult> results =
          ConcurrentTasks.run(thread -> () -> seenBy(thread, channel).append(message("m").id(id)));

      assertThat(results).filteredOn(AppendResult::accepted).hasSize(1);
    }
    assertThat(channel.drain()).hasSize(ROUNDS);
  }

  @Test
  void writers_whose_batches_overlap_in_opposite_orders_do_not_block_each_other() throws Exception {
    TestChannel channel = channel();
    for (int round = 0; round < ROUNDS; round++) {
      int base = round * 20;

      List<List<AppendResult>> results =
          ConcurrentTasks.run(
              thread -> {
                List<MessageDraft> batch =
                    new ArrayList<>(
                        IntStream.range(base, base + 20)
                            .mapToObj(i -> message("m" + i).key("k" + i))
                            .toList());
                if (thread % 2 == 0) {
                  Collections.reverse(batch);
                }
                return () -> seenBy(thread, channel).appendAll(batch.toArray(MessageDraft[]::new));
              });

      assertThat(results.stream().flatMap(List::stream).filter(AppendResult::accepted)).hasSize(20);
    }
    assertThat(channel.drain()).hasSize(ROUNDS * 20).doesNotHaveDuplicates();
  }

  /** Of many messages with one collapse key that are written at once, one is left in the end. */
  @Test
  void of_many_writers_with_one_collapse_key_one_message_is_left_by_the_next() throws Exception {
    TestChannel channel = channel();
    ConcurrentTasks.run(thread -> () -> seenBy(thread, channel).append(message("m").collapse("c")));

    channel.append(message("last").collapse("c"));

    assertThat(channel.drain()).containsExactly("last");
  }

  /** Rule 5: overlapping appends go either way, but each writer's own go in its order. */
  @Test
  void each_writer_finds_its_messages_in_its_order() throws Exception {
    TestChannel channel = channel();
    ConcurrentTasks.run(
        thread ->
            () -> {
              for (int i = 0; i < 15; i++) {
                seenBy(thread + i, channel).append(message(thread + "/" + i).group("g"));
              }
              return true;
            });

    Map<String, Integer> next = new HashMap<>();
    for (String label : channel.drain()) {
      String[] parts = label.split("/", 2);
      assertThat(Integer.parseInt(parts[1]))
          .as("position of " + label)
          .isEqualTo(next.merge(parts[0], 1, Integer::sum) - 1);
    }
    assertThat(next).hasSize(THREADS).allSatisfy((writer, n) -> assertThat(n).isEqualTo(15));
  }

  /** Rule 6: one worker holds a group, and its messages go in order. */
  @Test
  void no_two_workers_hold_one_group_and_each_group_goes_in_order() throws Exception {
    TestChannel channel = channel();
    for (int i = 0; i < 20; i++) {
      for (int group = 0; group < 4; group++) {
        channel.append(message(group + "/" + i).group("group-" + group));
      }
    }
    Map<String, UUID> holders = new ConcurrentHashMap<>();
    Map<String, List<String>> handled = new ConcurrentHashMap<>();

    ConcurrentTasks.run(
        thread ->
            () -> {
              handleGroups(seenBy(thread, channel), holders, handled);
              return true;
            });

    assertThat(handled).hasSize(4);
    handled.forEach(
        (group, labels) ->
            assertThat(labels)
                .isEqualTo(
                    IntStream.range(0, 20).mapToObj(i -> group.charAt(6) + "/" + i).toList()));
  }

  /**
   * Goes on for some idle claims: a group that another worker holds now may be ready at the next.
   */
  private static void handleGroups(
      TestChannel channel, Map<String, UUID> holders, Map<String, List<String>> handled) {
    int idle = 0;
    while (idle < 20) {
      Lease lease = channel.claim(atMost(6).perGroup(3)).lease();
      if (lease == null) {
        idle++;
        Thread.onSpinWait();
        continue;
      }
      Set<String> groups = new HashSet<>();
      for (Message message : lease.messages()) {
        String group = String.valueOf(message.routing().groupKey());
        if (groups.add(group)) {
          assertThat(holders.putIfAbsent(group, lease.token())).as("holder of " + group).isNull();
        }
        handled.computeIfAbsent(group, key -> new ArrayList<>()).add(label(message));
      }
      groups.forEach(holders::remove);
      assertThat(channel.settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
    }
  }

  @Test
  void messages_that_are_written_while_others_are_handled_are_handled_once() throws Exception {
    TestChannel channel = channel();
    int writers = THREADS / 2;
    CountDownLatch writing = new CountDownLatch(writers);

    List<List<Message>> handled =
        ConcurrentTasks.run(
            thread ->
                () -> thread < writers ? write(channel, thread, writing) : work(channel, writing));

    List<UUID> ids = handled.stream().flatMap(List::stream).map(Message::id).toList();
    assertThat(ids).hasSize(writers * 30).doesNotHaveDuplicates();
  }

  private static List<Message> write(TestChannel channel, int thread, CountDownLatch writing) {
    try {
      for (int i = 0; i < 30; i++) {
        seenBy(thread, channel).append(message(thread + "/" + i));
      }
      return List.of();
    } finally {
      writing.countDown();
    }
  }

  private static List<Message> work(TestChannel channel, CountDownLatch writing) {
    List<Message> handled = new ArrayList<>();
    boolean last;
    do {
      last = writing.getCount() == 0;
      handled.addAll(drainInSteps(channel));
    } while (!last);
    return handled;
  }

  @Test
  void an_expired_lease_is_reclaimed_once() throws Exception {
    TestChannel channel = channel();
    channel.appendAll(many(20));
    for (int i = 0; i < 20; i++) {
      channel.lease(1);
    }
    advance(LEASE.plusMillis(1));

    List<Integer> counts = ConcurrentTasks.run(thread -> () -> seenBy(thread, channel).reclaim());

    assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    advance(minutes(2));
    assertThat(channel.drainMessages())
        .hasSize(20)
        .allSatisfy(message -> assertThat(message.progress().crashes()).isEqualTo(1));
  }

  /** A settlement that releases the group lock cannot see what a concurrent claim makes ready. */
  @Test
  void a_message_that_is_due_when_its_group_lock_is_released_is_not_lost() throws Exception {
    TestChannel channel = channel();
    for (int round = 0; round < 4 * ROUNDS; round++) {
      String group = "group-" + round;
      channel.append(message("first").group(group));
      channel.append(message("second").group(group).delay(seconds(1)));
      Lease first = channel.lease(1);
      advance(seconds(1));

      List<List<String>> taken =
          ConcurrentTasks.run(
              List.of(() -> complete(channel, first), () -> completeNext(channel.onAnotherNode())));

      List<String> labels = new ArrayList<>(taken.stream().flatMap(List::stream).toList());
      labels.addAll(channel.drain());
      assertThat(labels).as("round " + round).containsExactlyInAnyOrder("first", "second");
    }
  }

  private static List<String> complete(TestChannel channel, Lease lease) {
    assertThat(channel.settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
    return TestChannel.labels(lease);
  }

  private static List<String> completeNext(TestChannel channel) {
    Lease lease = channel.claim().lease();
    return lease == null ? List.of() : complete(channel, lease);
  }
}
