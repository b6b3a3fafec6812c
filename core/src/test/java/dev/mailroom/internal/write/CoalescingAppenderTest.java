package dev.mailroom.internal.write;

import static dev.mailroom.internal.write.NewMessages.message;
import static dev.mailroom.internal.write.NewMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Transaction;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.NewMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
    assertThat(appender.append(List.of(message(2)), null)).as("the turn was freed").hasSize(1);
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
