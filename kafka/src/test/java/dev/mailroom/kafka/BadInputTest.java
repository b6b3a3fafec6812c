package dev.mailroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.errors.InvalidOptionsException;
import java.time.Duration;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadInputTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  @Test
  void all_that_is_wrong_with_a_dispatcher_is_said_at_once() {
    KafkaDispatcherBuilder builder =
        KafkaDispatcher.builder()
            .property("acks", "1")
            .property("enable.idempotence", false)
            .property("transactional.id", "mine")
            .defaultTopic("not a topic")
            .retryAfter(Duration.ZERO);

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll(
            "bootstrapServers is null",
            "acks is 1",
            "enable.idempotence is false",
            "transactional.id is mine",
            "defaultTopic is not a topic",
            "retryAfter is PT0S");
  }

  @Test
  void settings_beside_a_producer_are_refused() {
    KafkaDispatcherBuilder builder =
        KafkaDispatcher.builder().producer(producer).bootstrapServers("localhost:9092");

    assertThatThrownBy(builder::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("have no use beside a producer");
  }

  @Test
  void an_event_without_a_topic_is_refused_when_it_is_added() {
    TextOutbox texts = new TextOutbox(KafkaDispatcher.builder().producer(producer).build());

    assertThatThrownBy(() -> texts.outbox.add("hello"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("has no topic");
    assertThat(texts.open()).isZero();
  }

  @Test
  void a_topic_that_no_broker_could_have_is_refused_when_it_is_added() {
    TextOutbox texts = new TextOutbox(KafkaDispatcher.builder().producer(producer).build());

    for (String topic : new String[] {"two words", "..", "ünder", "x".repeat(250)}) {
      assertThatThrownBy(() -> texts.outbox.add("hello", options -> options.topic(topic)))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("is no name for a topic of Kafka");
    }
    assertThat(texts.open()).isZero();
  }

  @Test
  void a_dispatcher_closes_only_a_producer_of_its_own() {
    KafkaDispatcher.builder().producer(producer).build().close();

    assertThat(producer.closed()).isFalse();
  }
}
