package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static dev.mailroom.storetestkit.contract.TestChannel.labels;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.MessageDraft;
import dev.mailroom.storetestkit.TestMessages;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A leased append ({@link LeasingWriter}) stores and leases in one call and keeps group order. */
abstract class LeasedAppendContract extends StoreTestBase {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 60;
  private static final int GROUPS = 7;

  LeasedAppendContract(Callable<StoreFixture> source) {
    super(source);
  }

  private LeasedAppend appendLeased(TestChannel channel, MessageDraft... drafts) {
    return appendLeased(channel, request(), drafts);
  }

  private LeasedAppend appendLeased(
      TestChannel channel, ClaimRequest request, MessageDraft... drafts) {
    List<NewMessage> messages = Stream.of(drafts).map(MessageDraft::build).toList();
    LeasedAppend appended =
        ((LeasingWriter) store).appendLeased(channel.definition(), messages, request.build());
    assertThat(appended.results()).as("one result per message").hasSameSizeAs(messages);
    return appended;
  }

  private static Lease leaseOf(LeasedAppend appended) {
    return Objects.requireNonNull(appended.lease(), "nothing was leased");
  }

  @Test
  void messages_are_leased_as_they_are_appended_and_no_other_claim_gets_them() {
    TestChannel channel = channel();
    Lease lease = leaseOf(appendLeased(channel, message("a"), message("b").group("g")));

    assertThat(labels(lease)).containsExactly("a", "b");
    channel.assertIdle();
    channel.onAnotherNode().assertIdle();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
    assertThat(channel.crash()).isZero();
    channel.assertIdle();
  }

  @Test
  void a_leased_append_returns_the_message_that_a_claim_would_return() {
    TestChannel channel = channel();
    MessageDraft draft =
        message("a").group("g").tenant("t").key("k").header("h", "1").lifetime(hours(1));
    Lease lease = leaseOf(appendLeased(channel, draft));
    store.release(channel.definition(), Set.of(lease.token()));

    Message arrived = only(lease);
    Message claimed = only(channel.lease());
    assertThat(claimed.envelope()).isEqualTo(arrived.envelope());
    assertThat(claimed.timing().createdAt()).isEqualTo(arrived.timing().createdAt());
    assertThat(claimed.timing().receivedAt()).isEqualTo(arrived.timing().receivedAt());
    assertThat(claimed.timing().expiresAt()).isEqualTo(arrived.timing().expiresAt());
    assertThat(claimed.progress()).isEqualTo(arrived.progress());
    assertThat(arrived.progress().attempts()).isEqualTo(1);
  }

  @Test
  void a_leased_append_returns_the_results_of_an_append() {
    TestChannel channel = channel();
    AppendResult first = channel.append(message("a").key("k"));
    LeasedAppend appended =
        appendLeased(channel, message("b"), message("again").key("k"), message("c"));

    assertThat(appended.results().stream().map(AppendResult::accepted))
        .containsExactly(true, false, true);
    assertThat(appended.results().get(1).id()).isEqualTo(first.id());
    assertThat(labels(leaseOf(appended))).containsExactly("b", "c");
    assertThat(appendLeased(channel, message("again").key("k")).lease()).isNull();
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void what_is_not_due_is_stored_and_not_leased() {
    TestChannel channel = channel();
    assertThat(appendLeased(channel, message("later").delay(minutes(1))).lease()).isNull();
    Lease lease =
        leaseOf(appendLeased(channel, message("now"), message("later too").delay(minutes(1))));

    assertThat(labels(lease)).containsExactly("now");
    channel.assertIdle();
    advance(minutes(1));
    assertThat(channel.drain()).containsExactlyInAnyOrder("later", "later too");
  }

  @Test
  void more_than_the_limit_are_stored_and_not_leased() {
    TestChannel channel = channel();
    assertThat(
            appendLeased(channel, request().limit(2), message("a"), message("b"), message("c"))
                .lease())
        .isNull();

    assertThat(channel.drain()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_group_with_more_than_its_limit_is_stored_and_not_leased() {
    TestChannel channel = channel();
    ClaimRequest one = request().perGroup(1);
    LeasedAppend appended =
        appendLeased(
            channel,
            one,
            message("a").group("g"),
            message("x").group("h"),
            message("b").group("g"));

    assertThat(labels(leaseOf(appended))).containsExactly("x");
    assertThat(channel.drain()).containsExactly("a", "b");
  }

  @Test
  void several_of_one_group_are_leased_in_order_and_later_messages_wait() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.REQUIRED));
    Lease lease = leaseOf(appendLeased(channel, message("a").group("g"), message("b").group("g")));
    assertThat(appendLeased(channel, message("c").group("g")).lease()).isNull();
    channel.append(message("d").group("g"));

    assertThat(labels(lease)).containsExactly("a", "b");
    channel.assertIdle();
    channel.settle(lease, "a", OutcomeSamples.completed());
    channel.assertIdle();
    channel.settle(lease, "b", OutcomeSamples.completed());
    assertThat(channel.drain()).containsExactly("c", "d");
  }

  @Test
  void an_older_message_of_the_group_goes_first() {
    TestChannel channel = channel();
    channel.append(message("a").group("g"));
    assertThat(appendLeased(channel, message("b").group("g")).lease()).isNull();
    channel.settle(channel.lease(1), OutcomeSamples.retried(minutes(1)));
    assertThat(appendLeased(channel, message("c").group("g")).lease()).isNull();

    channel.assertIdle();
    advance(minutes(1));
    assertThat(channel.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void a_message_of_a_parked_group_is_stored_and_not_leased() {
    TestChannel channel = channel(channelDraft().parking());
    channel.append(message("a").group("g"));
    channel.settleNext(OutcomeSamples.dead());
    assertThat(appendLeased(channel, message("b").group("g")).lease()).isNull();

    channel.assertIdle();
  }

  @Test
  void a_group_can_be_leased_again_after_its_leased_append_is_settled() {
    TestChannel channel = channel();
    for (int i = 0; i < 5; i++) {
      Lease lease = leaseOf(appendLeased(channel, message("m" + i).group("g")));
      assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    }

    channel.append(message("last").group("g"));
    assertThat(channel.drain()).containsExactly("last");
  }

  @Test
  void a_retried_message_keeps_its_position_and_its_attempts() {
    TestChannel channel = channel();
    Lease lease = leaseOf(appendLeased(channel, message("a").group("g")));
    channel.append(message("b").group("g"));
    channel.settle(lease, OutcomeSamples.retried(minutes(1)));

    channel.assertIdle();
    advance(minutes(1));
    List<Message> drained = channel.drainMessages();
    assertThat(TestMessages.labels(drained)).containsExactly("a", "b");
    assertThat(drained.get(0).progress().attempts()).isEqualTo(2);
  }

  @Test
  void a_released_message_gets_its_attempt_back() {
    TestChannel channel = channel();
    Lease lease = leaseOf(appendLeased(channel, message("a"), message("b").group("g")));
    store.release(channel.definition(), Set.of(lease.token()));

    assertThat(channel.drainMessages().stream().map(each -> each.progress().attempts()))
        .containsExactly(1, 1);
  }

  @Test
  void an_expired_lease_counts_a_crash() {
    TestChannel channel = channel();
    appendLeased(channel, message("a").group("g"));
    channel.append(message("b").group("g"));
    assertThat(channel.crash()).isEqualTo(1);
    advance(hours(1));

    Message poison = only(channel.lease());
    assertThat(TestMessages.label(poison)).isEqualTo("a");
    assertThat(poison.progress().crashes()).isEqualTo(1);
    assertThat(poison.progress().attempts()).isEqualTo(1);
  }

  @Test
  void its_lease_can_be_extended_and_its_message_cannot_be_cancelled() {
    TestChannel channel = channel();
    Lease lease = leaseOf(appendLeased(channel, message("a")));
    advance(seconds(50));
    assertThat(store.extend(channel.definition(), Set.of(lease.token()), minutes(1))).isEmpty();
    advance(seconds(50));

    assertThat(channel.reclaim()).isZero();
    assertThat(store.cancel(channel.definition(), Target.id(only(lease).id()))).isFalse();
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void an_older_message_is_found_though_newer_ones_are_leased() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.NONE));
    channel.append(message("before"));
    Lease first = leaseOf(appendLeased(channel, message("a")));
    channel.append(message("between"));
    Lease second = leaseOf(appendLeased(channel, message("b")));

    assertThat(labels(channel.lease())).containsExactly("before", "between");
    channel.append(message("after"));
    assertThat(channel.settle(first, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.settle(second, OutcomeSamples.completed())).isEmpty();
    assertThat(channel.drain()).containsExactly("after");
  }

  /** Writers lease some of their messages, workers claim the rest: each group stays in order. */
  @Test
  void groups_stay_in_order_when_leased_appends_overlap_claims() throws Exception {
    TestChannel channel = channel(channelDraft().ordering(Ordering.REQUIRED));
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    Written written = new Written(new AtomicInteger(WRITERS), new Semaphore(0));
    List<Callable<Integer>> all = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      all.add(() -> write(channel, number, handled, written));
    }
    all.add(() -> work(channel, handled, written));
    all.add(() -> work(channel, handled, written));
    List<Integer> leased = ConcurrentTasks.run(all);

    assertThat(leased.subList(0, WRITERS)).as("some were leased").anyMatch(count -> count > 0);
    assertThat(handled).hasSize(WRITERS * ROUNDS * 2).doesNotHaveDuplicates();
    for (String group :
        handled.stream().map(LeasedAppendContract::groupAndWriter).distinct().toList()) {
      assertThat(handled.stream().filter(label -> groupAndWriter(label).equals(group)))
          .as("of one group, by one writer")
          .isSortedAccordingTo(Comparator.comparingInt(LeasedAppendContract::round));
    }
    channel.assertIdle();
  }

  /** The number of active writers, and a permit per append that no claim has looked for. */
  private record Written(AtomicInteger writers, Semaphore hints) {
    void end() {
      writers.decrementAndGet();
      hints.release(WRITERS);
    }

    boolean hasEnded() {
      return writers.get() == 0;
    }
  }

  private static String groupAndWriter(String label) {
    return label.substring(0, label.lastIndexOf(' '));
  }

  private static int round(String label) {
    return Integer.parseInt(label.substring(label.lastIndexOf(' ') + 1));
  }

  /** Appends to two groups at a time and handles the messages it leased; returns their count. */
  private int write(TestChannel channel, int writer, List<String> handled, Written written) {
    int leased = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String one = (writer + round) % GROUPS + " " + writer + " " + round;
      String other = (writer + round + 1 + round % 3) % GROUPS + " " + writer + " " + round;
      MessageDraft[] drafts = {
        message(one).group(one.substring(0, 1)), message(other).group(other.substring(0, 1))
      };
      if (round % 4 == 0) {
        channel.appendAll(drafts);
      } else {
        Lease lease = appendLeased(channel, drafts).lease();
        leased += lease == null ? 0 : handle(channel, lease, handled);
      }
      written.hints().release();
    }
    written.end();
    return leased;
  }

  private static int handle(TestChannel channel, Lease lease, List<String> handled) {
    handled.addAll(labels(lease));
    assertThat(channel.settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
    return lease.messages().size();
  }

  /**
   * Claims and handles messages until every writer has ended and the channel is empty; returns the
   * count. An idle claim waits for the next append, as a worker does: claims in a busy loop would
   * starve the writers.
   */
  private static int work(TestChannel channel, List<String> handled, Written written)
      throws InterruptedException {
    int count = 0;
    boolean more = true;
    while (more) {
      boolean ended = written.hasEnded();
      Claim claim = channel.claim(request().perGroup(2));
      count += claim.lease() == null ? 0 : handle(channel, claim.lease(), handled);
      boolean again = claim.lease() != null || claim.nextDue() != null;
      if (!again && !ended) {
        written.hints().acquire();
      }
      more = again || !ended;
    }
    return count;
  }
}
