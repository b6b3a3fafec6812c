package dev.mailroom.examples;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.brokers.KafkaBroker;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcTransactions;
import dev.mailroom.kafka.KafkaDispatcher;
import dev.mailroom.mediator.Command;
import dev.mailroom.mediator.Mediator;
import dev.mailroom.outbox.IntegrationEvent;
import dev.mailroom.outbox.Outbox;
import dev.mailroom.outbox.spi.WireHeaders;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * An order service: it takes a command, changes its state and records an event in one transaction,
 * and the event is published to Kafka after the commit. An order that is refused leaves no event.
 *
 * <p>The broker runs in this process; a real service names its brokers instead.
 */
public final class OrderServiceExample {
  private static final String TOPIC = "orders";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Consumer<String> out;

  OrderServiceExample(Consumer<String> out) {
    this.out = out;
  }

  record PlaceOrder(String customer, String orderId, int amount) implements Command {}

  @MessageContract(name = "shop.order-placed")
  record OrderPlaced(String orderId, int amount) implements IntegrationEvent {}

  /** Runs the example. */
  public static void main(String[] args) throws SQLException {
    new OrderServiceExample(System.out::println).run();
  }

  void run() throws SQLException {
    try (KafkaBroker broker = KafkaBroker.open();
        JdbcStore store =
            JdbcStore.builder("jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1")
                .migrateAtStart(true)
                .build()) {
      broker.createTopic(TOPIC, 1, Map.of());
      serve(broker, store);
    }
  }

  private void serve(KafkaBroker broker, JdbcStore store) throws SQLException {
    JdbcTransactions transactions = new JdbcTransactions(store);
    transactions.run(OrderServiceExample::createTable);
    // setup:begin
    KafkaDispatcher kafka =
        KafkaDispatcher.builder().bootstrapServers(broker.address()).defaultTopic(TOPIC).build();
    Outbox outbox = Outbox.builder().dispatcher(kafka).build();
    Mediator mediator =
        Mediator.builder()
            .command(
                PlaceOrder.class,
                (order, context) ->
                    transactions.run(connection -> place(connection, outbox, order)))
            .build();
    Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .currentTransaction(transactions)
            .add(outbox)
            .build();
    // setup:end
    try (kafka;
        mailroom) {
      mailroom.start();
      for (PlaceOrder order :
          List.of(
              new PlaceOrder("ann", "4711", 20),
              new PlaceOrder("ann", "4712", -1),
              new PlaceOrder("ann", "4713", 22))) {
        take(mediator, order);
      }
      read(broker, 2);
    }
  }

  private void take(Mediator mediator, PlaceOrder order) {
    try {
      mediator.send(order);
      out.accept("order " + order.orderId() + " is accepted");
    } catch (Exception refused) {
      out.accept("order " + order.orderId() + " is refused, and its event with it");
    }
  }

  // place:begin
  /** Changes the state and records the event: both are committed, or neither. */
  private static void place(Connection connection, Outbox outbox, PlaceOrder order)
      throws SQLException {
    outbox
        .integration()
        .add(
            new OrderPlaced(order.orderId(), order.amount()),
            options -> options.key(order.customer()));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders VALUES (?, ?)")) {
      insert.setString(1, order.orderId());
      insert.setInt(2, order.amount());
      insert.executeUpdate();
    }
  }

  // place:end

  /** Another service, which reads the topic from its beginning. */
  private void read(KafkaBroker broker, int count) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.address()),
            new StringDeserializer(),
            new StringDeserializer())) {
      List<TopicPartition> partitions = List.of(new TopicPartition(TOPIC, 0));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (consumer.position(partitions.get(0)) < count) {
        for (ConsumerRecord<String, String> record : consumer.poll(PATIENCE)) {
          out.accept("read " + contract(record) + " for " + record.key() + ": " + record.value());
        }
      }
    }
  }

  private static String contract(ConsumerRecord<String, String> record) {
    byte[] name = record.headers().lastHeader(WireHeaders.CONTRACT).value();
    return new String(name, StandardCharsets.UTF_8);
  }

  private static void createTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS orders");
      statement.execute("CREATE TABLE orders (id VARCHAR(20), amount INT CHECK (amount >= 0))");
    }
  }
}
