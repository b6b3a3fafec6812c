package dev.mailroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.Result;
import dev.mailroom.databases.Ports;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.spi.HandlerOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** With Kafka's own stand-in for a producer, which can be made to fail for one record. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailuresTest {
  private static final Duration LATER = Duration.ofSeconds(7);

  private final FailingProducer producer = new FailingProducer(true);
  private final KafkaDispatcher dispatcher =
      KafkaDispatcher.builder().producer(producer).retryAfter(LATER).build();

  /** Known to have failed only by who waits for it, or at once, as if it never left. */
  private static final class Failed extends CompletableFuture<RecordMetadata> {
    private final boolean atOnce;

    Failed(RuntimeException error, boolean atOnce) {
      this.atOnce = atOnce;
      completeExceptionally(error);
    }

    @Override
    public boolean isDone() {
      return atOnce;
    }
  }

  private static final class FailingProducer extends MockProducer<byte[], byte[]> {
    private final Map<String, RuntimeException> errors = new HashMap<>();
    private boolean failsAtOnce;

    FailingProducer(boolean autoComplete) {
      super(autoComplete, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      RuntimeException error = errors.get(text(record));
      Future<RecordMetadata> sent = super.send(record, callback);
      return error == null ? sent : new Failed(error, failsAtOnce);
    }

    private static String text(ProducerRecord<byte[], byte[]> record) {
      return new String(record.value(), StandardCharsets.UTF_8);
    }

    List<String> sent() {
      return history().stream().map(FailingProducer::text).toList();
    }
  }

  private Result answerTo(RuntimeException error) throws Exception {
    producer.errors.put("a1", error);
    return dispatcher.dispatch(Texts.keyed("a1").get(0));
  }

  @Test
  void a_transient_failure_is_deferred() throws Exception {
    assertThat(answerTo(new NotEnoughReplicasException("2 of 3")))
        .isEqualTo(Result.retryLater(LATER));
    assertThat(answerTo(new TimeoutException("expired"))).isEqualTo(Result.retryLater(LATER));
  }

  @Test
  void what_can_never_be_published_is_dead() throws Exception {
    assertThat(answerTo(new RecordTooLargeException("big")).outcome())
        .isInstanceOf(HandlerOutcome.DeadLettered.class);
    assertThat(answerTo(new InvalidRecordException("odd")).outcome())
        .isInstanceOf(HandlerOutcome.DeadLettered.class);
  }

  @Test
  void what_an_operator_must_fix_fails_with_what_to_do() throws Exception {
    assertThat(answerTo(new TopicAuthorizationException("no")).toString())
        .startsWith("Failed")
        .contains("may not write to the topic 'texts'");
    assertThat(answerTo(new SaslAuthenticationException("no")).toString()).startsWith("Failed");
    OutOfOrderSequenceException other = new OutOfOrderSequenceException("odd");
    assertThat(answerTo(other)).isEqualTo(Result.fail(other));
  }

  @Test
  void nothing_of_a_key_is_sent_behind_one_that_failed() throws Exception {
    producer.errors.put("a2", new TimeoutException("expired"));

    List<Result> answers = dispatcher.dispatchAll(Texts.keyed("a1", "b1", "a2", "a3", "b2", "a4"));

    assertThat(producer.sent()).containsExactly("a1", "b1", "a2", "b2");
    assertThat(answers)
        .containsExactly(
            Result.success(),
            Result.success(),
            Result.retryLater(LATER),
            null,
            Result.success(),
            null);
  }

  @Test
  void a_producer_without_room_is_not_waited_for_again_in_the_same_batch() throws Exception {
    producer.failsAtOnce = true;
    producer.errors.put("b1", new TimeoutException("buffer full"));

    List<Result> answers = dispatcher.dispatchAll(Texts.keyed("a1", "b1", "c1", "a2"));

    assertThat(producer.sent()).containsExactly("a1", "b1");
    assertThat(answers.get(0)).isEqualTo(Result.success());
    assertThat(answers.subList(1, 4)).containsOnly(Result.retryLater(LATER));
  }

  @Test
  void behind_a_dead_one_the_outbox_decides_so_the_rest_of_its_key_is_not_sent() throws Exception {
    producer.errors.put("a1", new RecordTooLargeException("big"));

    List<Result> answers = dispatcher.dispatchAll(Texts.keyed("a1", "a2", "b1"));

    assertThat(answers.get(0).outcome()).isInstanceOf(HandlerOutcome.DeadLettered.class);
    assertThat(answers.get(1)).isNull();
    assertThat(answers.get(2)).isEqualTo(Result.success());
  }

  @Test
  void of_one_key_only_one_is_on_its_way_until_it_is_acknowledged() throws Exception {
    FailingProducer slow = new FailingProducer(false);
    KafkaDispatcher waiting = KafkaDispatcher.builder().producer(slow).build();
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> waiting.dispatchAll(Texts.keyed("a1", "a2", "b1", "a3")))
        .isInstanceOf(InterruptedException.class);
    assertThat(slow.sent()).containsExactly("a1", "b1");
  }

  @Test
  void a_record_that_cannot_be_made_is_dead() throws Exception {
    KafkaDispatcher broken =
        KafkaDispatcher.builder()
            .producer(producer)
            .format(
                (topic, message) -> {
                  throw new IllegalArgumentException("no schema");
                })
            .build();

    assertThat(broken.dispatch(Texts.keyed("a1").get(0)).toString())
        .startsWith("Dead")
        .contains("no schema");
  }

  @Test
  void an_event_that_came_without_a_topic_is_dead_with_the_reason() throws Exception {
    assertThat(dispatcher.dispatch(Texts.withoutKey("loose", null)).toString())
        .startsWith("Dead")
        .contains("no default topic");
  }

  @Test
  void a_cluster_out_of_reach_is_waited_for_once_and_the_whole_batch_is_deferred()
      throws Exception {
    try (KafkaDispatcher nowhere =
        KafkaDispatcher.builder()
            .bootstrapServers("127.0.0.1:" + Ports.next())
            .property("max.block.ms", 100)
            .retryAfter(LATER)
            .build()) {
      List<OutboxMessage> messages =
          List.of(
              Texts.withoutKey("1", "one"),
              Texts.withoutKey("2", "two"),
              Texts.withoutKey("3", "one"));

      assertThat(nowhere.dispatchAll(messages)).containsOnly(Result.retryLater(LATER)).hasSize(3);
    }
  }
}
