package dev.mailroom.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.RawClient;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server with its default limits, and as many slow clients as it has connections: each sends one
 * byte of a header every 25 seconds, and connects again when its connection is closed. Not part of
 * the normal build, since it takes its time and measures:
 *
 * <pre>
 * mvn -Pquick -pl server -am test -Dtest=SlowClientsTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.server.slow-clients=1000 -Dmailroom.server.slow-seconds=60
 * </pre>
 */
@EnabledIfSystemProperty(named = "mailroom.server.slow-clients", matches = "\\d+")
class SlowClientsTest {
  private static final int CLIENTS = Integer.getInteger("mailroom.server.slow-clients", 1_000);
  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("mailroom.server.slow-seconds", 60));
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Source SOURCE =
      Source.of("sample", Providers.github()).secret("a-secret-of-github").build();

  @TempDir private Path directory;
  private final TimeSource time = TimeSource.system();

  @Test
  void other_requests_are_answered_within_a_second() throws Exception {
    Files.writeString(
        directory.resolve("mailroom.yaml"),
        "sources: {github: {provider: github, secret: a-secret-of-github}}\n");
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
      URI url = server.awaitListening();
      try (SlowClients slow = new SlowClients(url, CLIENTS, Duration.ofSeconds(25), time)) {
        slow.connect();
        long end = time.nanos() + TIME.toNanos();
        Future<?> attack = threads.submit(() -> slow.runUntil(end));
        Future<long[]> live = threads.submit(() -> measure(url, end, SlowClientsTest::live));
        Future<long[]> webhooks = threads.submit(() -> measure(url, end, this::webhook));
        System.out.printf("  %d slow clients for %s%n", CLIENTS, TIME);
        assertThat(p99("/health/live", live.get())).isLessThan(Duration.ofSeconds(1));
        assertThat(p99("a signed webhook", webhooks.get())).isLessThan(Duration.ofSeconds(1));
        attack.get();
        System.out.printf("  slow connections that the server has closed: %d%n", slow.closed());
        assertThat(slow.closed()).isGreaterThanOrEqualTo(CLIENTS);
      }
      server.terminate();
      server.awaitExit();
      server.output().stream().filter(line -> line.contains("limits.")).forEach(this::print);
    } finally {
      threads.shutdownNow();
    }
  }

  private void print(String line) {
    System.out.println("  " + line);
  }

  /** Sends requests, each on a connection of its own, and answers how long each of them took. */
  private long[] measure(URI url, long end, Callable<byte[]> request) throws Exception {
    Stream.Builder<Long> times = Stream.builder();
    while (time.nanos() < end) {
      byte[] bytes = request.call();
      long start = time.nanos();
      try (RawClient client = new RawClient(url.toString())) {
        assertThat(client.send(bytes).answer().status()).isIn(200, 202);
      }
      times.add(time.nanos() - start);
      if (new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("a latch that is never counted down");
      }
    }
    return times.build().mapToLong(Long::longValue).sorted().toArray();
  }

  private static Duration p99(String what, long[] sorted) {
    Duration p99 = Duration.ofNanos(sorted[(int) (sorted.length * 0.99)]);
    System.out.printf(
        "  %s: %d requests, p50 %s, p99 %s, longest %s%n",
        what,
        sorted.length,
        Duration.ofNanos(sorted[sorted.length / 2]),
        p99,
        Duration.ofNanos(sorted[sorted.length - 1]));
    return p99;
  }

  private static byte[] live() {
    return "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        .getBytes(StandardCharsets.US_ASCII);
  }

  private byte[] webhook() throws IOException {
    WebhookRequest sample =
        SampleWebhook.of(SOURCE).id(UUID.randomUUID().toString()).at(time.now());
    StringBuilder head = new StringBuilder("POST /webhooks/github HTTP/1.1\r\nHost: localhost\r\n");
    for (String name : sample.headers().names()) {
      if (!List.of("host", "content-length").contains(name.toLowerCase(Locale.ROOT))) {
        head.append(name).append(": ").append(sample.headers().first(name)).append("\r\n");
      }
    }
    head.append("Content-Length: ").append(sample.body().length).append("\r\n\r\n");
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(head.toString().getBytes(StandardCharsets.UTF_8));
    request.write(sample.body());
    return request.toByteArray();
  }
}
