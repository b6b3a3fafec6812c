package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AggregationTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final List<String> batches = new ArrayList<>();
  private AggregateHandler<String> handler =
      aggregate -> {
        batches.add(aggregate.key() + aggregate.messages());
        return Result.success();
      };
  private final Aggregation<String> texts = opened();

  private Aggregation<String> opened() {
    Aggregation<String> made =
        Aggregation.of("texts", String.class)
            .key(text -> text.substring(0, 1))
            .count(3)
            .within(MINUTE)
            .options(
                options ->
                    options.retry(
                        RetryPolicy.builder()
                            .attempts(2)
                            .backoff(Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
                            .build()))
            .handler(aggregate -> handler.handle(aggregate))
            .build();
    Mailroom.builder()
        .store(store)
        .time(time)
        .contract(String.class, "test.text", 1)
        .add(made)
        .build();
    return made;
  }

  private void add(String... all) {
    for (String text : all) {
      texts.add(text);
    }
    texts.processPending();
  }

  @Test
  void enough_messages_of_a_key_are_handed_over_in_order() {
    add("a1", "b1", "a2", "a3", "b2");
    assertThat(batches).containsExactly("a[a1, a2, a3]");

    add("b3", "a4");
    assertThat(batches).containsExactly("a[a1, a2, a3]", "b[b1, b2, b3]");
  }

  @Test
  void fewer_are_handed_over_when_the_time_since_the_first_is_over() {
    add("a1");
    time.advance(MINUTE.dividedBy(2));
    add("a2");
    time.advance(MINUTE.dividedBy(2));
    texts.processPending();

    assertThat(batches).containsExactly("a[a1, a2]");
  }

  @Test
  void the_time_of_a_batch_that_was_full_does_not_cut_the_next_one_short() {
    add("a1", "a2", "a3");
    time.advance(MINUTE.dividedBy(2));
    add("a4");
    time.advance(MINUTE.dividedBy(2));
    texts.processPending();
    assertThat(batches).containsExactly("a[a1, a2, a3]");

    time.advance(MINUTE.dividedBy(2));
    texts.processPending();
    assertThat(batches).containsExactly("a[a1, a2, a3]", "a[a4]");
  }

  @Test
  void what_was_collected_survives_the_process() {
    add("a1", "a2");
    Aggregation<String> next = opened();
    next.add("a3");
    next.processPending();

    assertThat(batches).containsExactly("a[a1, a2, a3]");
  }

  @Test
  void a_batch_that_fails_is_retried_and_collecting_goes_on() {
    AggregateHandler<String> good = handler;
    handler = aggregate -> Result.fail("not yet");
    add("a1", "a2", "a3", "a4");
    handler = good;
    time.advance(Duration.ofSeconds(1));
    add("a5", "a6");

    assertThat(batches).containsExactly("a[a1, a2, a3]", "a[a4, a5, a6]");
  }

  @Test
  void a_batch_that_fails_permanently_is_a_dead_letter() {
    handler = aggregate -> Result.fail("never");
    add("a1", "a2", "a3");
    time.advance(Duration.ofSeconds(1));
    texts.processPending();

    assertThat(texts.deadLetters().list(DeadLetterFilter.all(), 10).letters()).hasSize(1);
  }

  @Test
  void tenants_are_kept_apart() {
    texts.add("a1");
    texts.add("a2", WriteOptions.builder().tenant("them").build());
    texts.add("a3");
    texts.add("a4");
    texts.processPending();

    assertThat(batches).containsExactly("a[a1, a3, a4]");
  }

  @Test
  void a_batch_is_never_larger_than_a_message_may_be() {
    String large = "a".repeat(300 * 1024);
    List<Integer> sizes = new ArrayList<>();
    handler =
        aggregate -> {
          sizes.add(aggregate.messages().size());
          return Result.success();
        };
    add(large, large, "a");
    time.advance(MINUTE);
    texts.processPending();

    assertThat(sizes).containsExactly(1, 2);
  }

  @Test
  void many_small_messages_are_handed_over_before_they_outgrow_a_message() {
    List<String> all = new ArrayList<>();
    Aggregation<String> small =
        Aggregation.of("small", String.class)
            .key(text -> "key")
            .within(MINUTE)
            .handler(
                aggregate -> {
                  all.addAll(aggregate.messages());
                  return Result.success();
                })
            .build();
    Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .time(time)
            .maximumPayload(1_000)
            .contract(String.class, "test." + "long".repeat(20), 1)
            .add(small)
            .build();
    List<String> expected = IntStream.range(0, 100).mapToObj(String::valueOf).toList();

    expected.forEach(small::add);
    small.processPending();
    time.advance(MINUTE);
    small.processPending();

    assertThat(all).isEqualTo(expected);
    assertThat(mailroom.inbox("small").inspect().counts().dead()).isZero();
  }

  @Test
  void bad_input_is_refused() {
    assertThatThrownBy(() -> texts.add(" x")).isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> Aggregation.of("x", String.class).count(0).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("key")
        .hasMessageContaining("handler")
        .hasMessageContaining("count")
        .hasMessageContaining("within");
  }
}
