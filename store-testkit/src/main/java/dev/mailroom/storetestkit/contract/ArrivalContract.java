package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.labels;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.request;
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
import dev.mailroom.storetestkit.Messages;
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

/** What is leased as it is stored is leased like anything else, and breaks nobody's order. */
abstract class ArrivalContract extends Topic {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 60;
  private static final int GROUPS = 7;

  ArrivalContract(Callable<StoreFixture> source) {
    super(source);
  }

  private LeasedAppend arrive(Line line, MessageDraft... drafts) {
    return arrive(line, request(), drafts);
  }

  private LeasedAppend arrive(Line line, Request request, MessageDraft... drafts) {
    List<NewMessage> messages = Stream.of(drafts).map(MessageDraft::build).toList();
    LeasedAppend arrival =
        ((LeasingWriter) store).appendLeased(line.channel(), messages, request.build());
    assertThat(arrival.results()).as("one result per message").hasSameSizeAs(messages);
    return arrival;
  }

  private static Lease leaseOf(LeasedAppend arrival) {
    return Objects.requireNonNull(arrival.lease(), "nothing was leased");
  }

  @Test
  void what_arrives_is_leased_and_nobody_else_gets_it() {
    Line line = line();
    Lease lease = leaseOf(arrive(line, message("a"), message("b").group("g")));

    assertThat(labels(lease)).containsExactly("a", "b");
    line.assertIdle();
    line.elsewhere().assertIdle();
    assertThat(line.settle(lease, Verdict.completed())).as("lost leases").isEmpty();
    assertThat(line.crash()).isZero();
    line.assertIdle();
  }

  @Test
  void it_is_the_message_that_a_claim_would_give() {
    Line line = line();
    MessageDraft draft =
        message("a").group("g").tenant("t").key("k").header("h", "1").lifetime(hours(1));
    Lease lease = leaseOf(arrive(line, draft));
    store.release(line.channel(), Set.of(lease.token()));

    Message arrived = only(lease);
    Message claimed = only(line.lease());
    assertThat(claimed.envelope()).isEqualTo(arrived.envelope());
    assertThat(claimed.timing().createdAt()).isEqualTo(arrived.timing().createdAt());
    assertThat(claimed.timing().receivedAt()).isEqualTo(arrived.timing().receivedAt());
    assertThat(claimed.timing().expiresAt()).isEqualTo(arrived.timing().expiresAt());
    assertThat(claimed.progress()).isEqualTo(arrived.progress());
    assertThat(arrived.progress().attempts()).isEqualTo(1);
  }

  @Test
  void its_results_are_those_of_an_append() {
    Line line = line();
    AppendResult first = line.append(message("a").key("k"));
    LeasedAppend arrival = arrive(line, message("b"), message("again").key("k"), message("c"));

    assertThat(arrival.results().stream().map(AppendResult::accepted))
        .containsExactly(true, false, true);
    assertThat(arrival.results().get(1).id()).isEqualTo(first.id());
    assertThat(labels(leaseOf(arrival))).containsExactly("b", "c");
    assertThat(arrive(line, message("again").key("k")).lease()).isNull();
    assertThat(line.drain()).containsExactly("a");
  }

  @Test
  void what_is_not_due_is_stored_and_not_leased() {
    Line line = line();
    assertThat(arrive(line, message("later").delay(minutes(1))).lease()).isNull();
    Lease lease = leaseOf(arrive(line, message("now"), message("later too").delay(minutes(1))));

    assertThat(labels(lease)).containsExactly("now");
    line.assertIdle();
    advance(minutes(1));
    assertThat(line.drain()).containsExactlyInAnyOrder("later", "later too");
  }

  @Test
  void more_than_the_limit_are_stored_and_not_leased() {
    Line line = line();
    assertThat(arrive(line, request().limit(2), message("a"), message("b"), message("c")).lease())
        .isNull();

    assertThat(line.drain()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_group_with_more_than_its_limit_is_stored_and_not_leased() {
    Line line = line();
    Request one = request().perGroup(1);
    LeasedAppend arrival =
        arrive(
            line, one, message("a").group("g"), message("x").group("h"), message("b").group("g"));

    assertThat(labels(leaseOf(arrival))).containsExactly("x");
    assertThat(line.drain()).containsExactly("a", "b");
  }

  @Test
  void several_of_one_group_are_leased_in_their_order_and_what_follows_waits() {
    Line line = line(channel().ordering(Ordering.REQUIRED));
    Lease lease = leaseOf(arrive(line, message("a").group("g"), message("b").group("g")));
    assertThat(arrive(line, message("c").group("g")).lease()).isNull();
    line.append(message("d").group("g"));

    assertThat(labels(lease)).containsExactly("a", "b");
    line.assertIdle();
    line.settle(lease, "a", Verdict.completed());
    line.assertIdle();
    line.settle(lease, "b", Verdict.completed());
    assertThat(line.drain()).containsExactly("c", "d");
  }

  @Test
  void what_waits_in_its_group_goes_first() {
    Line line = line();
    line.append(message("a").group("g"));
    assertThat(arrive(line, message("b").group("g")).lease()).isNull();
    line.settle(line.lease(1), Verdict.retried(minutes(1)));
    assertThat(arrive(line, message("c").group("g")).lease()).isNull();

    line.assertIdle();
    advance(minutes(1));
    assertThat(line.drain()).containsExactly("a", "b", "c");
  }

  @Test
  void it_does_not_join_a_group_that_is_parked() {
    Line line = line(channel().parking());
    line.append(message("a").group("g"));
    line.settleNext(Verdict.dead());
    assertThat(arrive(line, message("b").group("g")).lease()).isNull();

    line.assertIdle();
  }

  @Test
  void a_group_is_free_again_when_what_arrived_is_done() {
    Line line = line();
    for (int i = 0; i < 5; i++) {
      Lease lease = leaseOf(arrive(line, message("m" + i).group("g")));
      assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    }

    line.append(message("last").group("g"));
    assertThat(line.drain()).containsExactly("last");
  }

  @Test
  void a_retried_one_keeps_its_place_and_its_attempts() {
    Line line = line();
    Lease lease = leaseOf(arrive(line, message("a").group("g")));
    line.append(message("b").group("g"));
    line.settle(lease, Verdict.retried(minutes(1)));

    line.assertIdle();
    advance(minutes(1));
    List<Message> drained = line.drainMessages();
    assertThat(Messages.labels(drained)).containsExactly("a", "b");
    assertThat(drained.get(0).progress().attempts()).isEqualTo(2);
  }

  @Test
  void a_released_one_gets_its_attempt_back() {
    Line line = line();
    Lease lease = leaseOf(arrive(line, message("a"), message("b").group("g")));
    store.release(line.channel(), Set.of(lease.token()));

    assertThat(line.drainMessages().stream().map(each -> each.progress().attempts()))
        .containsExactly(1, 1);
  }

  @Test
  void an_expired_one_has_crashed() {
    Line line = line();
    arrive(line, message("a").group("g"));
    line.append(message("b").group("g"));
    assertThat(line.crash()).isEqualTo(1);
    advance(hours(1));

    Message suspect = only(line.lease());
    assertThat(Messages.label(suspect)).isEqualTo("a");
    assertThat(suspect.progress().crashes()).isEqualTo(1);
    assertThat(suspect.progress().attempts()).isEqualTo(1);
  }

  @Test
  void it_can_be_extended_and_cannot_be_cancelled() {
    Line line = line();
    Lease lease = leaseOf(arrive(line, message("a")));
    advance(seconds(50));
    assertThat(store.extend(line.channel(), Set.of(lease.token()), minutes(1))).isEmpty();
    advance(seconds(50));

    assertThat(line.reclaim()).isZero();
    assertThat(store.cancel(line.channel(), Target.id(only(lease).id()))).isFalse();
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void what_was_stored_before_is_found_though_later_ones_are_leased() {
    Line line = line(channel().ordering(Ordering.NONE));
    line.append(message("before"));
    Lease first = leaseOf(arrive(line, message("a")));
    line.append(message("between"));
    Lease second = leaseOf(arrive(line, message("b")));

    assertThat(labels(line.lease())).containsExactly("before", "between");
    line.append(message("after"));
    assertThat(line.settle(first, Verdict.completed())).isEmpty();
    assertThat(line.settle(second, Verdict.completed())).isEmpty();
    assertThat(line.drain()).containsExactly("after");
  }

  /** Writers lease some of what they write, others claim the rest: each group stays in order. */
  @Test
  void groups_stay_in_order_when_messages_arrive_while_others_claim() throws Exception {
    Line line = line(channel().ordering(Ordering.REQUIRED));
    List<String> handled = Collections.synchronizedList(new ArrayList<>());
    Written written = new Written(new AtomicInteger(WRITERS), new Semaphore(0));
    List<Callable<Integer>> all = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      all.add(() -> write(line, number, handled, written));
    }
    all.add(() -> work(line, handled, written));
    all.add(() -> work(line, handled, written));
    List<Integer> leased = Together.run(all);

    assertThat(leased.subList(0, WRITERS)).as("some were leased").anyMatch(count -> count > 0);
    assertThat(handled).hasSize(WRITERS * ROUNDS * 2).doesNotHaveDuplicates();
    for (String group : handled.stream().map(ArrivalContract::groupAndWriter).distinct().toList()) {
      assertThat(handled.stream().filter(label -> groupAndWriter(label).equals(group)))
          .as("of one group, by one writer")
          .isSortedAccordingTo(Comparator.comparingInt(ArrivalContract::round));
    }
    line.assertIdle();
  }

  /** How many still write, and how much was written that nobody has looked for. */
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

  /** Writes to two groups at a time, and handles what it leased; says how much. */
  private int write(Line line, int writer, List<String> handled, Written written) {
    int leased = 0;
    for (int round = 0; round < ROUNDS; round++) {
      String one = (writer + round) % GROUPS + " " + writer + " " + round;
      String other = (writer + round + 1 + round % 3) % GROUPS + " " + writer + " " + round;
      MessageDraft[] drafts = {
        message(one).group(one.substring(0, 1)), message(other).group(other.substring(0, 1))
      };
      if (round % 4 == 0) {
        line.appendAll(drafts);
      } else {
        Lease lease = arrive(line, drafts).lease();
        leased += lease == null ? 0 : handle(line, lease, handled);
      }
      written.hints().release();
    }
    written.end();
    return leased;
  }

  private static int handle(Line line, Lease lease, List<String> handled) {
    handled.addAll(labels(lease));
    assertThat(line.settle(lease, Verdict.completed())).as("lost leases").isEmpty();
    return lease.messages().size();
  }

  /**
   * Handles what there is until nobody writes and nothing is left; says how much. Waits for
   * somebody to write as a worker does: who claims without a pause may leave no room for others.
   */
  private static int work(Line line, List<String> handled, Written written)
      throws InterruptedException {
    int count = 0;
    boolean more = true;
    while (more) {
      boolean ended = written.hasEnded();
      Claim claim = line.claim(request().perGroup(2));
      count += claim.lease() == null ? 0 : handle(line, claim.lease(), handled);
      boolean again = claim.lease() != null || claim.nextDue() != null;
      if (!again && !ended) {
        written.hints().acquire();
      }
      more = again || !ended;
    }
    return count;
  }
}
