package dev.mailroom.internal.write;

import static dev.mailroom.internal.write.NewMessages.message;
import static dev.mailroom.internal.write.NewMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CoalescingAppenderTest {
  private final Set<UUID> stored = ConcurrentHashMap.newKeySet();
  private final List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());

  private List<AppendResult> store(List<NewMessage> messages, Transaction transaction) {
    sizes.add(messages.size());
    for (NewMessage message : messages) {
      if (message.id().getLeastSignificantBits() % 100 == 99) {
        throw new IllegalStateException("bad message");
      }
    }
    messages.forEach(message -> stored.add(message.id()));
    return messages.stream().map(NewMessages::accepted).toList();
  }

  @Test
  void a_lone_writer_gets_its_own_result_and_its_own_error() {
    Appender appender = new CoalescingAppender(this::store, 10, 1);

    assertThat(appender.append(List.of(message(1)), null))
        .containsExactly(NewMessages.accepted(message(1)));
    assertThatIllegalStateException()
        .isThrownBy(() -> appender.append(List.of(message(99)), null))
        .withMessage("bad message");
    assertThat(appender.append(List.of(message(2)), null))
        .as("the failed append released its slot")
        .hasSize(1);
  }

  @Test
  void batches_and_transactions_pass_through() {
    Appender appender = new CoalescingAppender(this::store, 1, 1);
    Transaction transaction = action -> {};

    assertThat(appender.append(messages(5), null)).hasSize(5);
    assertThat(appender.append(messages(1), transaction)).hasSize(1);
    assertThat(sizes).containsExactly(5, 1);
  }

  @Test
  void an_error_that_is_no_exception_frees_the_turn_too() {
    Appender appender =
        new CoalescingAppender(
            (messages, transaction) -> {
              throw new StackOverflowError("deep");
            },
            10,
            1);

    for (int i = 0; i < 3; i++) {
      assertThatExceptionOfType(StackOverflowError.class)
          .isThrownBy(() -> appender.append(messages(1), null));
    }
  }

  /** An appender that holds every append until it is let go. */
  private static final class Gate implements Appender {
    private final BlockingQueue<List<NewMessage>> arrived = new LinkedBlockingQueue<>();
    private final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore passes = new Semaphore(0);
    private final int bad;

    /** Fails for appends of more messages than that. */
    private Gate(int most) {
      this.bad = most;
    }

    @Override
    public List<AppendResult> append(List<NewMessage> messages, Transaction transaction) {
      threads.add(Thread.currentThread());
      arrived.add(messages);
      passes.acquireUninterruptibly();
      if (messages.size() > bad) {
        throw new IllegalStateException("too many");
      }
      return messages.stream().map(NewMessages::accepted).toList();
    }

    private List<NewMessage> next() throws InterruptedException {
      return Objects.requireNonNull(arrived.poll(30, TimeUnit.SECONDS), "no append");
    }
  }

  /** A writer of its own, once it waits for the append of another writer. */
  private static Thread waiter(Appender appender, NewMessage message) {
    Thread thread = new Thread(() -> appender.append(List.of(message), null));
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return thread;
  }

  @Test
  void a_second_append_begins_beside_the_first_once_as_many_wait_as_that_carries()
      throws Exception {
    Gate gate = new Gate(10);
    Appender appender = new CoalescingAppender(gate, 10, 2);
    List<Thread> writers = new ArrayList<>();
    writers.add(waiter(appender, message(0)));
    assertThat(gate.next()).hasSize(1);
    writers.add(waiter(appender, message(1)));
    assertThat(gate.next()).as("one waited, one was under way").hasSize(1);
    for (int i = 2; i < 5; i++) {
      writers.add(waiter(appender, message(i)));
    }
    assertThat(gate.arrived).as("no more than two at once").isEmpty();
    gate.passes.release();
    assertThat(gate.next()).as("all that waited").hasSize(3);
    gate.passes.release(); // either of two: whichever ends, too few wait for another
    writers.add(waiter(appender, message(5)));
    gate.passes.release(10);
    assertThat(gate.next()).hasSize(1);

    for (Thread writer : writers) {
      writer.join();
    }
  }

  @Test
  void one_caller_leads_a_few_appends_and_then_another_one() throws Exception {
    Gate gate = new Gate(10);
    Appender appender = new CoalescingAppender(gate, 2, 1);
    List<Thread> writers = new ArrayList<>();
    writers.add(waiter(appender, message(0)));
    assertThat(gate.next()).hasSize(1);
    for (int i = 1; i < 3 + 2 * CoalescingAppender.MAX_APPENDS_PER_LEADER; i++) {
      writers.add(waiter(appender, message(i)));
    }
    gate.passes.release();
    assertThat(gate.next()).as("no writer was waiting to lead a second append").hasSize(2);
    writers.get(0).join();
    for (int i = 1; i < CoalescingAppender.MAX_APPENDS_PER_LEADER; i++) {
      gate.passes.release();
      assertThat(gate.next()).hasSize(2);
      writers.get(2 * i).join(); // told by another, while the next append is held
      assertThat(writers.get(1).isAlive()).as("the leader").isTrue();
    }
    gate.passes.release();
    assertThat(gate.next()).hasSize(2);
    writers.get(1).join();
    gate.passes.release();

    for (Thread writer : writers) {
      writer.join();
    }
    List<Thread> leaders = new ArrayList<>(gate.threads);
    assertThat(leaders.subList(1, leaders.size() - 1)).containsOnly(writers.get(1));
    assertThat(leaders.get(leaders.size() - 1)).isNotIn(writers.get(0), writers.get(1));
  }

  @Test
  void what_fails_while_a_caller_leads_for_others_is_repeated_by_them() throws Exception {
    Gate gate = new Gate(2);
    Appender appender = new CoalescingAppender(gate, 3, 1);
    Thread first = waiter(appender, message(0));
    assertThat(gate.next()).hasSize(1);
    Thread leader = waiter(appender, message(1));
    Thread other = waiter(appender, message(2));
    gate.passes.release();
    assertThat(gate.next()).hasSize(2);
    List<Thread> three = new ArrayList<>();
    for (int i = 3; i < 6; i++) {
      three.add(waiter(appender, message(i)));
    }
    gate.passes.release();
    assertThat(gate.next()).as("too many").hasSize(3);
    other.join();
    gate.passes.release(10);

    first.join();
    leader.join();
    for (Thread writer : three) {
      writer.join();
    }
    assertThat(gate.threads.subList(0, 3)).containsExactly(first, leader, leader);
    assertThat(gate.threads.subList(3, 6)).containsExactlyInAnyOrderElementsOf(three);
    assertThat(gate.arrived).hasSize(3).allMatch(append -> append.size() == 1);
  }

  @Test
  void what_is_repeated_alone_may_be_stored_already_and_is_no_longer_fresh() throws Exception {
    Gate gate = new Gate(1);
    Appender appender = new CoalescingAppender(gate, 10, 1);
    Thread first = waiter(appender, NewMessages.fresh(1));
    assertThat(gate.next()).allMatch(NewMessage::fresh);
    Thread second = waiter(appender, NewMessages.fresh(2));
    Thread third = waiter(appender, NewMessages.fresh(3));
    gate.passes.release(10);

    assertThat(gate.next()).hasSize(2).allMatch(NewMessage::fresh);
    assertThat(gate.next()).hasSize(1).noneMatch(NewMessage::fresh);
    assertThat(gate.next()).hasSize(1).noneMatch(NewMessage::fresh);
    first.join();
    second.join();
    third.join();
  }

  @Test
  void many_writers_at_once_each_get_what_is_theirs() throws Exception {
    Appender appender = new CoalescingAppender(this::store, 7, 2);
    ExecutorService writers = Executors.newFixedThreadPool(16);
    List<Future<List<AppendResult>>> results = new ArrayList<>();
    try {
      for (int i = 0; i < 5_000; i++) {
        NewMessage own = message(i);
        results.add(
            writers.submit(
                () -> {
                  List<AppendResult> result = appender.append(List.of(own), null);
                  assertThat(stored).contains(own.id());
                  return result;
                }));
      }
      for (int i = 0; i < results.size(); i++) {
        Future<List<AppendResult>> result = results.get(i);
        if (i % 100 == 99) {
          assertThat(result)
              .failsWithin(30, TimeUnit.SECONDS)
              .withThrowableThat()
              .withMessageContaining("bad message");
        } else {
          assertThat(result.get(30, TimeUnit.SECONDS))
              .containsExactly(NewMessages.accepted(message(i)));
        }
      }
    } finally {
      writers.shutdownNow();
    }
    assertThat(stored).hasSize(4_950);
    assertThat(sizes).allMatch(size -> size >= 1 && size <= 7);
  }
}
