package dev.mailroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.brokers.KafkaBroker;
import dev.mailroom.options.AfterDeadLetter;
import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Against a broker in this process. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KafkaDispatcherTest {
  private static final URI SOURCE = URI.create("https://shop.example.com/orders");

  private static KafkaBroker broker;

  @BeforeAll
  static void startBroker() {
    broker = KafkaBroker.open();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  private static KafkaDispatcherBuilder dispatcher() {
    return KafkaDispatcher.builder()
        .bootstrapServers(broker.address())
        .property("max.block.ms", 2_000);
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    try (TopicReader reader = new TopicReader(broker.address(), topic)) {
      return reader.rest();
    }
  }

  private static List<String> texts(String topic) {
    return read(topic).stream().map(TopicReader::text).toList();
  }

  @Test
  void an_event_arrives_with_all_that_belongs_to_it() {
    broker.createTopic("full", 1, Map.of());
    try (KafkaDispatcher dispatcher = dispatcher().build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      UUID id = new UUID(4, 2);

      texts.outbox.add(
          "hello",
          options ->
              options
                  .messageId(id)
                  .topic("full")
                  .key("order-1")
                  .correlationId("conversation")
                  .causationId("request")
                  .tenant("acme")
                  .header("color", "grün"));
      texts.publish();

      ConsumerRecord<byte[], byte[]> record = read("full").get(0);
      assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("order-1");
      assertThat(TopicReader.text(record)).isEqualTo("hello");
      Map.of(
              "mailroom-id", id.toString(),
              "mailroom-contract", "test.text",
              "mailroom-contract-version", "1",
              "mailroom-correlation-id", "conversation",
              "mailroom-causation-id", "request",
              "mailroom-tenant", "acme",
              "content-type", "application/octet-stream",
              "color", "grün")
          .forEach((name, value) -> assertThat(TopicReader.header(record, name)).isEqualTo(value));
      assertThat(texts.open()).isZero();
    }
  }

  @Test
  void many_events_arrive_once_and_in_order_per_key() {
    broker.createTopic("many", 3, Map.of());
    try (KafkaDispatcher dispatcher = dispatcher().defaultTopic("many").build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      for (int i = 0; i < 300; i++) {
        texts.add("many", "key-" + i % 20, String.valueOf(i));
        texts.outbox.add("loose");
      }

      texts.publish();

      List<ConsumerRecord<byte[], byte[]>> records = read("many");
      assertThat(records).hasSize(600);
      for (int key = 0; key < 20; key++) {
        byte[] name = ("key-" + key).getBytes(StandardCharsets.UTF_8);
        assertThat(records)
            .filteredOn(record -> Arrays.equals(record.key(), name))
            .extracting(record -> Integer.parseInt(TopicReader.text(record)))
            .hasSize(15)
            .isSorted();
      }
    }
  }

  @Test
  void a_topic_that_does_not_exist_holds_up_only_its_keys_and_is_found_when_it_is_made() {
    broker.createTopic("there", 1, Map.of());
    try (KafkaDispatcher dispatcher = dispatcher().property("max.block.ms", 300).build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      texts.add("missing", "a", "a1");
      texts.add("there", "a", "a2");
      texts.add("missing", "b", "b1");
      texts.add("there", "c", "c1");

      texts.publish();

      assertThat(texts("there")).containsExactly("c1");
      assertThat(texts.open()).isEqualTo(3);
      broker.createTopic("missing", 1, Map.of());
      texts.publish();
      texts.publish();
      assertThat(texts("missing")).containsExactlyInAnyOrder("a1", "b1");
      assertThat(texts("there")).containsExactly("c1", "a2");
    }
  }

  @Test
  void an_event_for_a_topic_that_never_exists_dies_with_the_reason() {
    try (KafkaDispatcher dispatcher = dispatcher().property("max.block.ms", 100).build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      texts.add("never", "a", "a1");

      for (int attempt = 1; attempt <= 3; attempt++) {
        texts.publish();
      }

      assertThat(texts.deadLetters()).hasSize(1);
      assertThat(texts.deadLetters().get(0).toString())
          .contains("The topic 'never' does not exist in Kafka");
    }
  }

  @Test
  void an_event_that_is_too_large_for_its_topic_dies_and_its_key_goes_on() {
    broker.createTopic("narrow", 1, Map.of("max.message.bytes", "1000"));
    try (KafkaDispatcher dispatcher = dispatcher().build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      texts.add("narrow", "a", "a1");
      texts.add("narrow", "a", "a2" + "-".repeat(2_000));
      texts.add("narrow", "a", "a3");
      texts.add("narrow", "a", "a4");

      texts.publish();
      texts.publish();

      assertThat(texts("narrow")).containsExactly("a1", "a3", "a4");
      assertThat(texts.deadLetters()).hasSize(1);
      assertThat(texts.deadLetters().get(0).toString())
          .contains("too large for the topic 'narrow'");
      assertThat(texts.open()).isZero();
    }
  }

  @Test
  void nothing_of_a_parked_key_is_published_behind_the_one_that_died() {
    broker.createTopic("parked", 1, Map.of("max.message.bytes", "1000"));
    try (KafkaDispatcher dispatcher = dispatcher().build()) {
      TextOutbox texts = new TextOutbox(dispatcher, AfterDeadLetter.PARK);
      texts.add("parked", "a", "a1");
      texts.add("parked", "a", "a2" + "-".repeat(2_000));
      texts.add("parked", "a", "a3");
      texts.add("parked", "b", "b1");

      texts.publish();
      texts.publish();

      assertThat(texts("parked")).containsExactlyInAnyOrder("a1", "b1");
      assertThat(texts.deadLetters()).hasSize(1);
    }
  }

  @Test
  void an_event_that_is_too_large_for_the_producer_dies() {
    broker.createTopic("wide", 1, Map.of());
    try (KafkaDispatcher dispatcher = dispatcher().property("max.request.size", 1_000).build()) {
      TextOutbox texts = new TextOutbox(dispatcher);
      texts.add("wide", "a", "a1" + "-".repeat(2_000));
      texts.add("wide", "b", "b1");

      texts.publish();

      assertThat(texts("wide")).containsExactly("b1");
      assertThat(texts.deadLetters()).hasSize(1);
    }
  }

  @Test
  void cloud_events_are_read_by_their_own_library_in_both_modes() {
    List<CloudEventRecordFormat> formats =
        List.of(CloudEventRecordFormat.binary(SOURCE), CloudEventRecordFormat.structured(SOURCE));
    for (int i = 0; i < formats.size(); i++) {
      String topic = "cloud-" + i;
      broker.createTopic(topic, 1, Map.of());
      try (KafkaDispatcher dispatcher = dispatcher().format(formats.get(i)).build()) {
        TextOutbox texts = new TextOutbox(dispatcher);
        texts.outbox.add(
            "hello", options -> options.topic(topic).key("order-1").header("color", "red"));

        texts.publish();

        ConsumerRecord<byte[], byte[]> record = read(topic).get(0);
        CloudEvent event =
            KafkaMessageFactory.createReader(record.headers(), record.value()).toEvent();
        assertThat(event.getType()).isEqualTo("test.text");
        assertThat(event.getSource()).isEqualTo(SOURCE);
        assertThat(event.getData().toBytes()).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
        assertThat(event.getExtension("partitionkey")).isEqualTo("order-1");
        assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("order-1");
        assertThat(TopicReader.header(record, "color")).isEqualTo("red");
      }
    }
  }
}
