package dev.mailroom.kafka;

import dev.mailroom.errors.Violations;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Describes a {@link KafkaDispatcher}. */
public final class KafkaDispatcherBuilder {
  /** How long an event waits after a failure that may pass by itself, unless said otherwise. */
  public static final Duration RETRY_AFTER = Duration.ofSeconds(10);

  /**
   * The producer's settings where they differ from Kafka's own. A batch is there as a whole, so
   * waiting for more records to come only costs time; and the producer gives up within seconds,
   * since the outbox retries.
   */
  static final Map<String, Object> DEFAULTS =
      Map.of(
          ProducerConfig.LINGER_MS_CONFIG, "0",
          ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000",
          ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000",
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "30000");

  /** What the promises of a dispatcher stand on. */
  private static final Map<String, Set<String>> FIXED =
      Map.of(
          ProducerConfig.ACKS_CONFIG, Set.of("all", "-1"),
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, Set.of("true"));

  private static final Set<String> NOT_ALLOWED =
      Set.of(
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
          ProducerConfig.TRANSACTIONAL_ID_CONFIG);

  final Map<String, Object> properties = new HashMap<>();
  @Nullable Producer<byte[], byte[]> producer;
  @Nullable String defaultTopic;
  RecordFormat format = RecordFormat.plain();
  Duration retryAfter = RETRY_AFTER;

  KafkaDispatcherBuilder() {}

  /**
   * Where the brokers are, as {@code host:port,host:port}. Required, unless a producer is given.
   */
  public KafkaDispatcherBuilder bootstrapServers(String value) {
    return property(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, value);
  }

  /**
   * One more setting of the producer, by Kafka's name for it. {@code acks} is always all, and the
   * producer is always idempotent. Defaults of this dispatcher: {@code linger.ms} 0, {@code
   * max.block.ms} 5 seconds, {@code request.timeout.ms} 10 seconds, {@code delivery.timeout.ms} 30
   * seconds.
   */
  public KafkaDispatcherBuilder property(String name, Object value) {
    properties.put(name, value);
    return this;
  }

  /**
   * A producer of your own instead of settings for one. It must be idempotent and wait for {@code
   * acks=all}, which cannot be seen from outside; the caller closes it.
   */
  public KafkaDispatcherBuilder producer(Producer<byte[], byte[]> value) {
    producer = value;
    return this;
  }

  /** Where events without a topic go. Default: none, and an event without a topic is refused. */
  public KafkaDispatcherBuilder defaultTopic(String value) {
    defaultTopic = value;
    return this;
  }

  /** What records look like. Default: {@link RecordFormat#plain}. */
  public KafkaDispatcherBuilder format(RecordFormat value) {
    format = value;
    return this;
  }

  /**
   * How long an event waits after a failure that may pass by itself, which counts as a deferral and
   * not as an attempt. Default: 10 seconds.
   */
  public KafkaDispatcherBuilder retryAfter(Duration value) {
    retryAfter = value;
    return this;
  }

  /**
   * The dispatcher.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   * @throws org.apache.kafka.common.KafkaException if Kafka does not accept a setting
   */
  public KafkaDispatcher build() {
    Violations violations = new Violations("KafkaDispatcher");
    checkSource(violations);
    FIXED.forEach(
        (name, allowed) -> {
          Object value = properties.get(name);
          violations.check(
              value == null || allowed.contains(String.valueOf(value)),
              name,
              value,
              "must be " + String.join(" or ", allowed) + ", which is what it is if left out");
        });
    for (String name : NOT_ALLOWED) {
      violations.check(
          !properties.containsKey(name), name, properties.get(name), "is not yours to set");
    }
    violations.check(
        defaultTopic == null || Topics.isLegal(defaultTopic),
        "defaultTopic",
        defaultTopic,
        Topics.RULE);
    violations.positive("retryAfter", retryAfter);
    violations.raise();
    return new KafkaDispatcher(this, producer == null ? newProducer() : producer);
  }

  private void checkSource(Violations violations) {
    Object servers = properties.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
    if (producer == null) {
      violations.check(
          servers != null && !String.valueOf(servers).isBlank(),
          "bootstrapServers",
          servers,
          "say where the brokers are, or give a producer");
    } else {
      violations.check(
          properties.isEmpty(), "properties", properties.keySet(), "have no use beside a producer");
    }
  }

  private Producer<byte[], byte[]> newProducer() {
    Map<String, Object> settings = new HashMap<>(DEFAULTS);
    settings.putAll(properties);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
