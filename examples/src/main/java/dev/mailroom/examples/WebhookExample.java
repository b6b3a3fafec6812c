package dev.mailroom.examples;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.httpserver.WebhookHttpHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Webhooks of GitHub over HTTP: a signed one is stored, acknowledged and handled by both handlers,
 * sent again it is a duplicate, and a forged one is refused.
 */
public final class WebhookExample {
  private static final Source GITHUB =
      Source.of("github", Providers.github()).secret("It's a Secret to Everybody").build();

  private final Consumer<String> out;
  private final CountDownLatch handled = new CountDownLatch(2);

  WebhookExample(Consumer<String> out) {
    this.out = out;
  }

  record Issue(int number, String title) {}

  record IssueEvent(String action, Issue issue) {}

  /** Runs the example. */
  public static void main(String[] args) throws IOException, InterruptedException {
    new WebhookExample(System.out::println).run();
  }

  void run() throws IOException, InterruptedException {
    // webhooks:begin
    Webhooks webhooks =
        Webhooks.builder()
            .source(GITHUB)
            .handler("label", this::label, options -> options.source("github").type("issues.*"))
            .handler(
                "announce", this::announce, options -> options.type("issues.opened").attempts(8))
            .build();
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(MemoryStore.create())
            .codec(new JacksonCodec())
            .add(webhooks)
            .build()) {
      mailroom.start();
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", new WebhookHttpHandler(webhooks));
      server.start();
      // webhooks:end
      try {
        send(server.getAddress());
        Waiting.on(handled);
      } finally {
        server.stop(0);
      }
    }
  }

  // handler:begin
  private Result label(WebhookDelivery event) {
    IssueEvent issues = event.payload(IssueEvent.class);
    out.accept("label issue " + issues.issue().number() + ", which was " + issues.action());
    handled.countDown();
    return Result.success();
  }

  // handler:end

  private Result announce(WebhookDelivery event) {
    out.accept("announce '" + event.payload(IssueEvent.class).issue().title() + "'");
    handled.countDown();
    return Result.success();
  }

  /** What GitHub does: here from the same process, with the secret that both know. */
  private void send(InetSocketAddress receiver) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    WebhookRequest sample = SampleWebhook.of(GITHUB).at(TimeSource.system().now());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + receiver.getPort() + "/webhooks/github"))
            .POST(BodyPublishers.ofByteArray(sample.body()));
    for (String name : sample.headers().names()) {
      request.header(name, String.valueOf(sample.headers().first(name)));
    }
    out.accept("signed: " + status(client, request.build()));
    out.accept("sent again: " + status(client, request.build()));
    HttpRequest forged =
        request.copy().POST(BodyPublishers.ofString("{\"action\":\"forged\"}")).build();
    out.accept("forged: " + status(client, forged));
  }

  private static int status(HttpClient client, HttpRequest request)
      throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
