package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.label;
import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Request.LEASE;
import static dev.mailroom.storetestkit.contract.Request.atMost;
import static dev.mailroom.storetestkit.contract.Together.THREADS;
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
abstract class ConcurrencyContract extends Topic {
  private static final int ROUNDS = 10;

  ConcurrencyContract(Callable<StoreFixture> source) {
    super(source);
  }

  /** Half of the threads work through the second handle. */
  private static Line seenBy(int thread, Line line) {
    return thread % 2 == 0 ? line : line.elsewhere();
  }

  private static MessageDraft[] many(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new);
  }

  @Test
  void workers_lease_disjoint_messages_and_leave_none() throws Exception {
    Line line = line();
    line.appendAll(many(200));

    List<List<Message>> taken = Together.run(thread -> () -> drainInSteps(seenBy(thread, line)));

    List<UUID> ids = taken.stream().flatMap(List::stream).map(Message::id).toList();
    assertThat(ids).hasSize(200).doesNotHaveDuplicates();
    line.assertIdle();
  }

  private static List<Message> drainInSteps(Line line) {
    List<Message> taken = new ArrayList<>();
    for (Lease lease = line.claim(atMost(5)).lease();
        lease != null;
        lease = line.claim(atMost(5)).lease()) {
      taken.addAll(lease.messages());
      assertThat(line.settle(lease, Verdict.completed())).as("lost leases").isEmpty();
    }
    return taken;
  }

  /** Rule 4: append and deduplication are one atomic step. */
  @Test
  void of_many_writers_with_one_key_exactly_one_is_accepted() throws Exception {
    Line line = line();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "key-" + round;

      List<AppendResult> results =
          Together.run(thread -> () -> seenBy(thread, line).append(message(key).key(key)));

      assertThat(results).filteredOn(AppendResult::accepted).hasSize(1);
      assertThat(results).extracting(AppendResult::id).containsOnly(results.get(0).id());
    }
    assertThat(line.drain()).hasSize(ROUNDS);
  }

  @Test
  void of_many_writers_with_one_id_exactly_one_is_accepted() throws Exception {
    Line line = line();
    for (int round = 0; round < ROUNDS; round++) {
      UUID id = UUID.randomUUID();

      List<AppendResult> results =
          Together.run(thread -> () -> seenBy(thread, line).append(message("m").id(id)));

      assertThat(results).filteredOn(AppendResult::accepted).hasSize(1);
    }
    assertThat(line.drain()).hasSize(ROUNDS);
  }

  @Test
  void writers_whose_batches_overlap_in_opposite_orders_do_not_block_each_other() throws Exception {
    Line line = line();
    for (int round = 0; round < ROUNDS; round++) {
      int base = round * 20;

      List<List<AppendResult>> results =
          Together.run(
              thread -> {
                List<MessageDraft> batch =
                    new ArrayList<>(
                        IntStream.range(base, base + 20)
                            .mapToObj(i -> message("m" + i).key("k" + i))
                            .toList());
                if (thread % 2 == 0) {
                  Collections.reverse(batch);
                }
                return () -> seenBy(thread, line).appendAll(batch.toArray(MessageDraft[]::new));
              });

      assertThat(results.stream().flatMap(List::stream).filter(AppendResult::accepted)).hasSize(20);
    }
    assertThat(line.drain()).hasSize(ROUNDS * 20).doesNotHaveDuplicates();
  }

  /** Of many messages with one collapse key that are written at once, one is left in the end. */
  @Test
  void of_many_writers_with_one_collapse_key_one_message_is_left_by_the_next() throws Exception {
    Line line = line();
    Together.run(thread -> () -> seenBy(thread, line).append(message("m").collapse("c")));

    line.append(message("last").collapse("c"));

    assertThat(line.drain()).containsExactly("last");
  }

  /** Rule 5: overlapping appends go either way, but each writer's own go in its order. */
  @Test
  void each_writer_finds_its_messages_in_its_order() throws Exception {
    Line line = line();
    Together.run(
        thread ->
            () -> {
              for (int i = 0; i < 15; i++) {
                seenBy(thread + i, line).append(message(thread + "/" + i).group("g"));
              }
              return true;
            });

    Map<String, Integer> next = new HashMap<>();
    for (String label : line.drain()) {
      String[] parts = label.split("/", 2);
      assertThat(Integer.parseInt(parts[1]))
          .as("place of " + label)
          .isEqualTo(next.merge(parts[0], 1, Integer::sum) - 1);
    }
    assertThat(next).hasSize(THREADS).allSatisfy((writer, n) -> assertThat(n).isEqualTo(15));
  }

  /** Rule 6: one worker holds a group, and its messages go in order. */
  @Test
  void no_two_workers_hold_one_group_and_each_group_goes_in_order() throws Exception {
    Line line = line();
    for (int i = 0; i < 20; i++) {
      for (int group = 0; group < 4; group++) {
        line.append(message(group + "/" + i).group("group-" + group));
      }
    }
    Map<String, UUID> holders = new ConcurrentHashMap<>();
    Map<String, List<String>> handled = new ConcurrentHashMap<>();

    Together.run(
        thread ->
            () -> {
              handleGroups(seenBy(thread, line), holders, handled);
              return true;
            });

    assertThat(handled).hasSize(4);
    handled.forEach(
        (group, labels) ->
            assertThat(labels)
                .isEqualTo(
                    IntStream.range(0, 20).mapToObj(i -> group.charAt(6) + "/" + i).toList()));
  }

  /** Goes on for some idle claims, since the group that others hold now may be free at the next. */
  private static void handleGroups(
      Line line, Map<String, UUID> holders, Map<String, List<String>> handled) {
    int idle = 0;
    while (idle < 20) {
      Lease lease = line.claim(atMost(6).perGroup(3)).lease();
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
      assertThat(line.settle(lease, Verdict.completed())).as("lost leases").isEmpty();
    }
  }

  @Test
  void messages_that_are_written_while_others_are_handled_are_handled_once() throws Exception {
    Line line = line();
    int writers = THREADS / 2;
    CountDownLatch writing = new CountDownLatch(writers);

    List<List<Message>> handled =
        Together.run(
            thread -> () -> thread < writers ? write(line, thread, writing) : work(line, writing));

    List<UUID> ids = handled.stream().flatMap(List::stream).map(Message::id).toList();
    assertThat(ids).hasSize(writers * 30).doesNotHaveDuplicates();
  }

  private static List<Message> write(Line line, int thread, CountDownLatch writing) {
    try {
      for (int i = 0; i < 30; i++) {
        seenBy(thread, line).append(message(thread + "/" + i));
      }
      return List.of();
    } finally {
      writing.countDown();
    }
  }

  private static List<Message> work(Line line, CountDownLatch writing) {
    List<Message> handled = new ArrayList<>();
    boolean last;
    do {
      last = writing.getCount() == 0;
      handled.addAll(drainInSteps(line));
    } while (!last);
    return handled;
  }

  @Test
  void an_expired_lease_is_reclaimed_once() throws Exception {
    Line line = line();
    line.appendAll(many(20));
    for (int i = 0; i < 20; i++) {
      line.lease(1);
    }
    advance(LEASE.plusMillis(1));

    List<Integer> counts = Together.run(thread -> () -> seenBy(thread, line).reclaim());

    assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(20);
    advance(minutes(2));
    assertThat(line.drainMessages())
        .hasSize(20)
        .allSatisfy(message -> assertThat(message.progress().crashes()).isEqualTo(1));
  }

  /** Who gives the group up cannot see what a claim makes ready at the same moment. */
  @Test
  void a_message_that_is_due_when_its_group_is_given_up_is_not_forgotten() throws Exception {
    Line line = line();
    for (int round = 0; round < 4 * ROUNDS; round++) {
      String group = "group-" + round;
      line.append(message("first").group(group));
      line.append(message("second").group(group).delay(seconds(1)));
      Lease first = line.lease(1);
      advance(seconds(1));

      List<List<String>> taken =
          Together.run(List.of(() -> complete(line, first), () -> completeNext(line.elsewhere())));

      List<String> labels = new ArrayList<>(taken.stream().flatMap(List::stream).toList());
      labels.addAll(line.drain());
      assertThat(labels).as("round " + round).containsExactlyInAnyOrder("first", "second");
    }
  }

  private static List<String> complete(Line line, Lease lease) {
    assertThat(line.settle(lease, Verdict.completed())).as("lost leases").isEmpty();
    return Line.labels(lease);
  }

  private static List<String> completeNext(Line line) {
    Lease lease = line.claim().lease();
    return lease == null ? List.of() : complete(line, lease);
  }
}
