package dev.mailroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mailroom.server.TestServer;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.Webhooks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Refused webhooks show in the log at the level that is the default. */
class RefusedWebhooksTest {
  @TempDir private Path directory;
  private final Logger logger = (Logger) LoggerFactory.getLogger(Webhooks.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private TestServer server;

  @BeforeEach
  void start() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
    server =
        TestServer.start(
            directory,
            "sources: {stripe: {provider: stripe, secret: whsec_abc, targets: [log]}}\n"
                + "targets: {log: {}}");
  }

  @AfterEach
  void stop() {
    server.close();
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  @Test
  void one_line_says_which_source_why_and_from_where() {
    for (int i = 0; i < 10; i++) {
      server.post("/webhooks/stripe", "{}", "Stripe-Signature", "t=1,v1=" + "0".repeat(64));
      server.post("/webhooks/unknown", "{}");
    }

    assertThat(lines())
        .containsExactly(
            "Refused a request for source 'stripe': bad-signature; the last came from 127.0.0.1",
            "Refused a request for a path that no source has: unknown-source; the last came from"
                + " 127.0.0.1");
  }

  @Test
  void a_line_says_how_far_the_time_of_a_request_is_off() {
    Source sender = Source.of("stripe", Providers.stripe()).secret("whsec_abc").build();
    WebhookRequest old =
        SampleWebhook.of(sender).at(TimeSource.system().now().minus(Duration.ofHours(1)));

    server.post(
        "/webhooks/stripe",
        new String(old.body(), StandardCharsets.UTF_8),
        "Stripe-Signature",
        old.headers().first("Stripe-Signature"));

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("Refused a request for source 'stripe': too-old; the last came from 127.0.0.1")
        .containsPattern("and its time is 36[0-9]{2} seconds behind ours");
  }

  private List<String> lines() {
    return log.list.stream()
        .filter(event -> event.getLevel() == Level.INFO)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
