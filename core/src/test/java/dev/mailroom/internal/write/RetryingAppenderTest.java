package dev.mailroom.internal.write;

import static dev.mailroom.internal.write.NewMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mailroom.errors.StoreException;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.internal.StorageRetries;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Store;
import dev.mailroom.transactions.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RetryingAppenderTest {
  private static final Channel CHANNEL =
      new Channel("notes", Ordering.NONE, ChannelPolicy.defaults());
  private static final StorageRetry TWICE =
      new StorageRetry(2, Backoff.fixed(Duration.ofMillis(1)));

  private final MemoryStore memory = MemoryStore.create();
  private final Deque<RuntimeException> before = new ArrayDeque<>();
  private final Deque<RuntimeException> after = new ArrayDeque<>();
  private final List<List<NewMessage>> sent = new ArrayList<>();
  private int calls;

  private Appender appender(StorageRetry retry) {
    Store store =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                  calls++;
                  if (method.getName().equals("append")) {
                    sent.add(
                        ((List<?>) arguments[1]).stream().map(NewMessage.class::cast).toList());
                  }
                  if (!before.isEmpty()) {
                    throw before.remove();
                  }
                  try {
                    Object answer = method.invoke(memory, arguments);
                    if (!after.isEmpty()) {
                      throw after.remove();
                    }
                    return answer;
                  } catch (InvocationTargetException error) {
                    throw error.getCause();
                  }
                });
    return new RetryingAppender(
        (messages, transaction) -> store.append(CHANNEL, messages, transaction),
        CHANNEL.name(),
        new StorageRetries(retry, new Random(1)));
  }

  private static TransientStoreException passing() {
    return new TransientStoreException("for a moment");
  }

  @Test
  void a_failure_that_passes_is_repeated() {
    before.add(passing());
    before.add(passing());

    assertThat(appender(TWICE).append(messages(3), null)).allMatch(AppendResult::accepted);
    assertThat(calls).isEqualTo(3);
    assertThat(memory.counts(CHANNEL).ready()).isEqualTo(3);
  }

  @Test
  void what_is_repeated_may_be_stored_already_and_is_no_longer_fresh() {
    before.add(passing());
    before.add(passing());

    appender(TWICE).append(List.of(NewMessages.fresh(1), NewMessages.message(2)), null);

    assertThat(sent)
        .extracting(messages -> messages.stream().map(NewMessage::fresh).toList())
        .containsExactly(List.of(true, false), List.of(false, false), List.of(false, false));
  }

  @Test
  void a_message_that_is_found_to_be_its_own_duplicate_was_accepted() {
    after.add(passing());

    List<AppendResult> results = appender(TWICE).append(messages(2), null);

    assertThat(results).allMatch(AppendResult::accepted);
    assertThat(memory.counts(CHANNEL).ready()).isEqualTo(2);
  }

  @Test
  void a_duplicate_at_the_first_try_is_a_duplicate() {
    memory.append(CHANNEL, messages(1), null);

    assertThat(appender(TWICE).append(messages(1), null)).noneMatch(AppendResult::accepted);
  }

  @Test
  void it_gives_up_after_its_retries() {
    for (int i = 0; i < 3; i++) {
      before.add(passing());
    }

    assertThatExceptionOfType(TransientStoreException.class)
        .isThrownBy(() -> appender(TWICE).append(messages(1), null));
    assertThat(calls).isEqualTo(3);
  }

  @Test
  void nothing_is_repeated_that_does_not_pass_or_is_switched_off_or_is_in_a_transaction() {
    before.add(new StoreException("no such table"));
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> appender(TWICE).append(messages(1), null));
    before.add(passing());
    assertThatExceptionOfType(TransientStoreException.class)
        .isThrownBy(
            () -> appender(StorageRetry.builder().retries(0).build()).append(messages(1), null));
    before.add(passing());
    Transaction transaction = action -> {};
    assertThatExceptionOfType(TransientStoreException.class)
        .isThrownBy(() -> appender(TWICE).append(messages(1), transaction));

    assertThat(calls).isEqualTo(3);
  }
}
