package dev.mailroom.brokers;

import dev.mailroom.databases.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker (and its controller) in this JVM: the server itself, on loopback addresses, with
 * its log in a temporary directory. Topics are not created by asking for them.
 *
 * <p>It can be stopped and started again, on the same port and with the same log. Not thread-safe.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final int NODE = 1;

  private final Path directory;
  private final Properties properties = new Properties();
  private final String address;
  private @Nullable KafkaRaftServer server;

  private KafkaBroker(Path directory) {
    this.directory = directory;
    this.address = "127.0.0.1:" + Ports.next();
    String controller = "127.0.0.1:" + Ports.next();
    properties.putAll(
        Map.of(
            "process.roles",
            "broker,controller",
            "node.id",
            String.valueOf(NODE),
            "listeners",
            "PLAINTEXT://" + address + ",CONTROLLER://" + controller,
            "controller.listener.names",
            "CONTROLLER",
            "controller.quorum.voters",
            NODE + "@" + controller,
            "log.dirs",
            directory.toString(),
            "auto.create.topics.enable",
            "false"));
    // One node is the whole cluster: consumer groups start without waiting for more members.
    properties.putAll(
        Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "group.initial.rebalance.delay.ms", "0",
            "num.network.threads", "2",
            "num.io.threads", "2",
            "log.cleaner.enable", "false"));
  }

  /** Starts a broker with an empty log; returns when it takes requests. */
  public static KafkaBroker open() {
    try {
      KafkaBroker broker = new KafkaBroker(Files.createTempDirectory("mailroom-kafka"));
      broker.format();
      broker.start();
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void format() {
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setPrintStream(nowhere)
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(NODE)
          .addDirectory(directory.toString())
          .setMetadataLogDirectory(directory.toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("The broker's directory was not formatted: " + directory, e);
    }
  }

  /** What clients need as their bootstrap servers. */
  public String address() {
    return address;
  }

  /** Starts it again after {@link #stop}; returns when it takes requests. */
  public void start() {
    KafkaRaftServer starting = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
    starting.startup();
    server = starting;
  }

  /** Stops it; its log stays. Returns when it has ended. */
  public void stop() {
    KafkaRaftServer running = server;
    server = null;
    if (running != null) {
      running.shutdown();
      running.awaitShutdown();
    }
  }

  /** Makes a topic; returns when it is there. */
  public void createTopic(String name, int partitions, Map<String, String> settings) {
    try (Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", address))) {
      NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.of((short) 1));
      admin.createTopics(List.of(topic.configs(settings))).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("The topic '" + name + "' was not created", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while creating a topic", e);
    }
  }

  /** Stops it and deletes its log. */
  @Override
  public void close() {
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(KafkaBroker::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
