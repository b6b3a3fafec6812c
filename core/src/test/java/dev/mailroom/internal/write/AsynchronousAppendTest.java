package dev.mailroom.internal.write;

import static dev.mailroom.internal.write.NewMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.transactions.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages whose callers do not wait for them. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AsynchronousAppendTest {
  private static final int BAD = 99;

  /** Holds every append until it is let go, and fails as it is set to. */
  private static final class Held implements Appender {
    private final BlockingQueue<List<NewMessage>> arrived = new LinkedBlockingQueue<>();
    private final Semaphore passes = new Semaphore(0);
    private volatile boolean down;

    @Override
    public List<AppendResult> append(List<NewMessage> messages, Transaction transaction) {
      arrived.add(messages);
      passes.acquireUninterruptibly();
      if (down) {
        throw new TransientStoreException("down");
      }
      if (messages.stream().anyMatch(each -> each.id().getLeastSignificantBits() == BAD)) {
        throw new IllegalStateException("bad message");
      }
      return messages.stream().map(NewMessages::accepted).toList();
    }

    private List<NewMessage> next() throws InterruptedException {
      return Objects.requireNonNull(arrived.poll(30, TimeUnit.SECONDS), "no append");
    }
  }

  private final Held store = new Held();
  private final Appender appender = new CoalescingAppender(store, 100, 1);

  private CompletableFuture<AppendResult> submit(NewMessage message) {
    return appender.submit(message).toCompletableFuture();
  }

  /** The first is under way, and the others wait behind it. */
  private List<CompletableFuture<AppendResult>> submit(int... numbers) throws Exception {
    List<CompletableFuture<AppendResult>> ends = new ArrayList<>();
    for (int number : numbers) {
      ends.add(submit(message(number)));
      if (ends.size() == 1) {
        assertThat(store.next()).hasSize(1);
      }
    }
    return ends;
  }

  private static void assertStored(CompletableFuture<AppendResult> end, int number) {
    assertThat(end)
        .succeedsWithin(30, TimeUnit.SECONDS)
        .isEqualTo(NewMessages.accepted(message(number)));
  }

  private static void assertFailed(CompletableFuture<AppendResult> end, String text) {
    assertThat(end)
        .failsWithin(30, TimeUnit.SECONDS)
        .withThrowableThat()
        .withMessageContaining(text);
  }

  @Test
  void callers_go_on_and_their_future_completes_once_the_message_is_stored() throws Exception {
    List<CompletableFuture<AppendResult>> ends = submit(1, 2, 3);

    assertThat(ends).noneMatch(CompletableFuture::isDone);
    store.passes.release();
    assertStored(ends.get(0), 1);
    assertThat(store.next()).as("the waiting messages, together").hasSize(2);
    assertThat(ends.get(1)).isNotDone();
    store.passes.release();
    assertStored(ends.get(1), 2);
    assertStored(ends.get(2), 3);
  }

  @Test
  void a_callback_can_write_and_wait_for_its_write() throws Exception {
    CountDownLatch mayWrite = new CountDownLatch(1);
    CompletableFuture<AppendResult> first =
        submit(message(1)).thenApply(stored -> append(message(11), mayWrite));
    assertThat(store.next()).hasSize(1);
    CompletableFuture<AppendResult> second =
        submit(message(2)).thenApply(stored -> append(message(12), mayWrite));
    store.passes.release();
    assertThat(store.next()).as("while the first callback runs").hasSize(1);
    CompletableFuture<AppendResult> third = submit(message(3));

    mayWrite.countDown();
    store.passes.release(100);

    assertStored(first, 11);
    assertStored(second, 12);
    assertStored(third, 3);
  }

  private AppendResult append(NewMessage message, CountDownLatch mayWrite) {
    try {
      assertThat(mayWrite.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return appender.append(List.of(message), null).get(0);
  }

  @Test
  void a_bad_message_fails_only_its_own_caller() throws Exception {
    List<CompletableFuture<AppendResult>> ends = submit(1, 2, BAD, 3);
    store.passes.release(100);

    assertStored(ends.get(1), 2);
    assertFailed(ends.get(2), "bad message");
    assertStored(ends.get(3), 3);
  }

  @Test
  void a_bad_message_alone_is_not_tried_twice() throws Exception {
    CompletableFuture<AppendResult> end = submit(BAD).get(0);
    store.passes.release(100);

    assertFailed(end, "bad message");
    assertThat(store.arrived).isEmpty();
  }

  @Test
  void a_store_that_is_down_is_not_asked_again_for_each() throws Exception {
    List<CompletableFuture<AppendResult>> ends = submit(1, 2, 3, 4);
    store.down = true;
    store.passes.release(100);

    for (CompletableFuture<AppendResult> end : ends) {
      assertFailed(end, "down");
    }
    assertThat(store.next()).hasSize(3);
    assertThat(store.arrived).isEmpty();
    store.down = false;
    assertStored(submit(message(5)), 5);
  }

  @Test
  void those_who_wait_and_those_who_do_not_are_stored_together() throws Exception {
    CompletableFuture<AppendResult> left = submit(1).get(0);
    Thread waiter = new Thread(() -> appender.append(List.of(message(2)), null));
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    CompletableFuture<AppendResult> behind = submit(message(3));
    store.passes.release(100);

    assertStored(left, 1);
    assertThat(store.next()).hasSize(2);
    assertStored(behind, 3);
    waiter.join();
  }

  @Test
  void a_caller_that_finds_too_much_left_behind_waits() throws Exception {
    NewMessage large = large((int) (CoalescingAppender.MAX_ASYNC_BYTES / 2));
    CompletableFuture<AppendResult> first = submit(large);
    assertThat(store.next()).hasSize(1);
    CompletableFuture<AppendResult> second = submit(large);
    BlockingQueue<CompletableFuture<AppendResult>> third = new LinkedBlockingQueue<>();
    Thread waiter = new Thread(() -> third.add(submit(message(3))));
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(third).isEmpty();
    store.passes.release(100);

    assertThat(first).succeedsWithin(30, TimeUnit.SECONDS);
    assertThat(second).succeedsWithin(30, TimeUnit.SECONDS);
    waiter.join();
    assertThat(third.take()).isCompleted();
    assertThat(submit(large)).as("there is room again").succeedsWithin(30, TimeUnit.SECONDS);
  }

  private static NewMessage large(int size) {
    Payload payload = new Payload(new Contract("note", 1), "text/plain", new byte[size]);
    return NewMessage.of(
        new Envelope(UUID.randomUUID(), payload, Routing.NONE, Trace.NONE, Map.of()));
  }

  @Test
  void many_at_once_each_get_what_is_theirs() {
    store.passes.release(1_000_000);
    List<CompletableFuture<AppendResult>> ends = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      ends.add(submit(message(i)));
    }

    for (int i = 0; i < ends.size(); i++) {
      if (i == BAD) {
        assertFailed(ends.get(i), "bad message");
      } else {
        assertStored(ends.get(i), i);
      }
    }
  }

  @Test
  void a_callback_can_write_again() throws Exception {
    store.passes.release(100);
    CompletableFuture<AppendResult> end =
        submit(message(1)).thenCompose(result -> submit(message(2)));

    assertStored(end, 2);
  }
}
