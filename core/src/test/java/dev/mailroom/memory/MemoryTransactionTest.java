package dev.mailroom.memory;

import static dev.mailroom.memory.Letters.CHANNEL;
import static dev.mailroom.memory.Letters.PLAIN;
import static dev.mailroom.memory.Letters.key;
import static dev.mailroom.memory.Letters.letter;
import static dev.mailroom.memory.Letters.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemoryTransactionTest {
  private static final Channel OTHER =
      new Channel("other", Ordering.NONE, ChannelPolicy.defaults());

  private final MemoryStore store = MemoryStore.builder().time(new HandTime()).build();

  @Test
  void aWriterWithAnEqualKeyWaitsAndIsADuplicateAfterTheCommit() throws Exception {
    NewMessage first = letter(key("k"));
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(first), transaction);
    Writer writer = new Writer(letter(key("k")));

    writer.startAndWaitUntilItWaits();
    transaction.commit();

    assertThat(writer.result().accepted()).isFalse();
    assertThat(writer.result().id()).isEqualTo(first.id());
  }

  @Test
  void aWriterWithAnEqualKeyWaitsAndIsAcceptedAfterTheRollback() throws Exception {
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(letter(key("k"))), transaction);
    Writer writer = new Writer(letter(key("k")));

    writer.startAndWaitUntilItWaits();
    transaction.close();

    assertThat(writer.result().accepted()).isTrue();
    assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
  }

  @Test
  void aWriterWithAnEqualIdWaits() throws Exception {
    NewMessage message = letter(PLAIN);
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(message), transaction);
    Writer writer = new Writer(message);

    writer.startAndWaitUntilItWaits();
    transaction.commit();

    assertThat(writer.result().accepted()).isFalse();
  }

  @Test
  void aWriterThatIsInterruptedWhileItWaitsHasStoredNothing() throws Exception {
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(letter(key("k"))), transaction);
    Writer writer = new Writer(letter(key("k")));

    writer.startAndWaitUntilItWaits();
    writer.thread.interrupt();

    assertThatThrownBy(writer::result).hasCauseInstanceOf(TransientStoreException.class);
    transaction.close();
    assertThat(store.rows()).isZero();
  }

  @Test
  void otherWritersDoNotWait() {
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(letter(key("k"))), transaction);

    assertThat(store.append(CHANNEL, List.of(letter(key("l"))), null).get(0).accepted()).isTrue();
    assertThat(store.append(OTHER, List.of(letter(key("k"))), null).get(0).accepted()).isTrue();
    transaction.close();
  }

  @Test
  void whatCommitsLaterGoesLater() {
    Routing group = new Routing(null, "g", null, null);
    NewMessage slow = letter(group);
    NewMessage quick = letter(group);
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(slow), transaction);
    store.append(CHANNEL, List.of(quick), null);
    transaction.commit();

    assertThat(store.lease(CHANNEL, upTo(2)).lease().messages())
        .extracting(message -> message.id())
        .containsExactly(quick.id(), slow.id());
  }

  @Test
  void anOpenTransactionCollapsesNothingAndItsRollbackNeither() {
    Routing collapsing = new Routing(null, null, null, "c");
    store.append(CHANNEL, List.of(letter(collapsing)), null);
    try (OpenTransaction transaction = store.begin()) {
      store.append(CHANNEL, List.of(letter(collapsing), letter(collapsing)), transaction);
      assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
    }
    assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
  }

  @Test
  void whatIsNotCommittedCannotBeCancelled() {
    NewMessage message = letter(key("k"));
    try (OpenTransaction transaction = store.begin()) {
      store.append(CHANNEL, List.of(message), transaction);
      assertThat(store.cancel(CHANNEL, Target.id(message.id()))).isFalse();
      assertThat(store.cancel(CHANNEL, Target.key("k"))).isFalse();
    }
  }

  @Test
  void anEndedTransactionIsRefused() {
    OpenTransaction transaction = store.begin();
    transaction.commit();

    assertThatThrownBy(() -> store.append(CHANNEL, List.of(letter(PLAIN)), transaction))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(transaction::commit).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> transaction.afterCommit(() -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aTransactionOfAnotherStoreIsRefused() {
    OpenTransaction foreign = MemoryStore.create().begin();

    assertThatThrownBy(() -> store.append(CHANNEL, List.of(letter(PLAIN)), foreign))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anActionThatFailsAfterTheCommitDoesNotFailTheCommit() {
    OpenTransaction transaction = store.begin();
    store.append(CHANNEL, List.of(letter(PLAIN)), transaction);
    transaction.afterCommit(
        () -> {
          throw new IllegalStateException("on purpose");
        });

    transaction.commit();

    assertThat(store.counts(CHANNEL).ready()).isEqualTo(1);
  }

  /** Appends one message on a thread of its own. */
  private final class Writer {
    private final FutureTask<AppendResult> task;
    private final Thread thread;

    Writer(NewMessage message) {
      task = new FutureTask<>(() -> store.append(CHANNEL, List.of(message), null).get(0));
      thread = new Thread(task, "writer");
      thread.setDaemon(true);
    }

    void startAndWaitUntilItWaits() {
      thread.start();
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        assertThat(task.isDone()).as("the writer went on without waiting").isFalse();
        Thread.onSpinWait();
      }
    }

    AppendResult result() throws Exception {
      return task.get();
    }
  }
}
