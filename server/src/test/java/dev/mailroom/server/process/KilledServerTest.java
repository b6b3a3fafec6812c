package dev.mailroom.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Receiver;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed right after it has acknowledged events, and started again: everything that
 * it acknowledged is delivered. Three times in the normal build, once for one request and else
 * under 200 at once. More often:
 *
 * <pre>
 * mvn -Pquick -pl server -am test -Dtest=KilledServerTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dmailroom.server.kills=100
 * </pre>
 */
class KilledServerTest {
  private static final int KILLS = Integer.getInteger("mailroom.server.kills", 3);
  private static final int AT_ONCE = 200;
  private static final String SECRET = "a-secret-of-github";
  private static final Source SOURCE =
      Source.of("sample", Providers.github()).secret(SECRET).build();

  @TempDir private Path directory;
  private final Set<String> delivered = new HashSet<>();

  @Test
  void what_was_acknowledged_before_a_kill_is_delivered_after_the_restart() throws Exception {
    try (Receiver receiver = new Receiver()) {
      configure(receiver);
      for (int round = 1; round <= KILLS; round++) {
        int events = round % 2 == 1 ? 1 : AT_ONCE;
        receiver.answer(503);
        Set<String> acknowledged;
        try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
          acknowledged = send(server.awaitListening(), events, server);
          server.kill();
        }
        assertThat(acknowledged).isNotEmpty();
        receiver.answer(204);
        try (ServerProcess server = ServerProcess.start(directory, "serve", "--port", "0")) {
          server.awaitListening();
          awaitDelivered(receiver, acknowledged);
        }
        System.out.printf(
            "  kill %d: %d requests, %d acknowledged, all delivered%n",
            round, events, acknowledged.size());
      }
    }
  }

  private void configure(Receiver receiver) throws Exception {
    Files.writeString(
        directory.resolve("mailroom.yaml"),
        """
        sources: {github: {provider: github, secret: %s, targets: [post]}}
        targets:
          post: {type: http, url: '%s', secrets: [%s], attempts: 1000, first-delay: 50ms,
                 longest-delay: 100ms}
        delivery: {lease: 2s}
        """
            .formatted(SECRET, receiver.url(), Receiver.SECRET));
  }

  /** Sends all at once, and kills the server as soon as a quarter has been acknowledged. */
  private static Set<String> send(URI server, int events, ServerProcess process) throws Exception {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(30))
            .build();
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    CountDownLatch some = new CountDownLatch(Math.max(1, events / 4));
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      String id = UUID.randomUUID().toString();
      all.add(
          client
              .sendAsync(request(server, id), HttpResponse.BodyHandlers.discarding())
              .handle(
                  (response, error) -> {
                    if (response != null && response.statusCode() == 202) {
                      acknowledged.add(id);
                      some.countDown();
                    }
                    return id;
                  }));
    }
    assertThat(some.await(1, TimeUnit.MINUTES)).isTrue();
    process.kill();
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
    return acknowledged;
  }

  private static HttpRequest request(URI server, String id) {
    WebhookRequest sample = SampleWebhook.of(SOURCE).id(id).at(TimeSource.system().now());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve("/webhooks/github"))
            .POST(HttpRequest.BodyPublishers.ofByteArray(sample.body()));
    for (String name : sample.headers().names()) {
      if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
        request.header(name, sample.headers().first(name));
      }
    }
    return request.build();
  }

  private void awaitDelivered(Receiver receiver, Set<String> expected) throws InterruptedException {
    Set<String> missing = new HashSet<>(expected);
    missing.removeAll(delivered);
    while (!missing.isEmpty()) {
      String id = receiver.next().headers().get("mailroom-webhook-event-id");
      delivered.add(id);
      missing.remove(id);
    }
  }
}
