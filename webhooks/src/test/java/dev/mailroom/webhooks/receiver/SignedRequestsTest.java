package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.messages.Message;
import dev.mailroom.webhooks.Headers;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Requests as Stripe and GitHub sign them, from the receiver to the handler. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SignedRequestsTest {
  private static final Source EUROPE =
      Source.of("stripe-eu", Providers.stripe()).secret("whsec_europe").build();
  private static final Source AMERICA =
      Source.of("stripe-us", Providers.stripe()).secret("whsec_america").path("/us").build();
  private static final Source GITHUB =
      Source.of("github", Providers.github()).secret("octocat").build();

  private final RecordingHandlers handlers = new RecordingHandlers();
  private final WebhooksFixture fixture =
      new WebhooksFixture(
          webhooks ->
              webhooks
                  .source(EUROPE)
                  .source(AMERICA)
                  .source(GITHUB)
                  .handler("book", options -> options.provider("stripe"), handlers.handler("book"))
                  .handler(
                      "label", options -> options.type("issues.*"), handlers.handler("label")));

  private WebhookRequest sample(Source source, String id) {
    return at("/webhooks/" + source.name(), SampleWebhook.of(source).id(id).at(fixture.time.now()));
  }

  private static WebhookRequest at(String path, WebhookRequest request) {
    return new WebhookRequest(
        request.method(), path, request.query(), request.headers(), request.body());
  }

  private int send(WebhookRequest request) {
    return fixture.webhooks.receive(request).status();
  }

  @Test
  void an_event_reaches_the_matching_handlers() {
    assertThat(send(sample(GITHUB, "delivery-1"))).isEqualTo(202);
    assertThat(send(sample(EUROPE, "evt_1"))).isEqualTo(202);
    assertThat(send(sample(GITHUB, "delivery-1"))).as("redelivered").isEqualTo(200);

    fixture.worker().run();

    assertThat(handlers.calls).containsExactlyInAnyOrder("label delivery-1 #1", "book evt_1 #1");
  }

  @Test
  void a_sample_can_have_a_body_of_its_own() {
    String body = "{\"id\": \"evt_9\", \"type\": \"charge.failed\", \"data\": {}}";

    assertThat(send(SampleWebhook.of(EUROPE).body(body).at(fixture.time.now()))).isEqualTo(202);

    fixture.worker().run();
    assertThat(handlers.calls).containsExactly("book evt_9 #1");
  }

  @Test
  void two_accounts_of_one_provider_have_secrets_of_their_own() {
    WebhookRequest europe = sample(EUROPE, "evt_1");

    assertThat(send(at("/us", europe))).as("signed by another account").isEqualTo(401);
    assertThat(send(europe)).isEqualTo(202);
    assertThat(send(at("/us", sample(AMERICA, "evt_1")))).isEqualTo(202);
    assertThat(fixture.messages()).hasSize(2);
  }

  @Test
  void one_byte_more_or_a_little_too_late_is_not_verified() {
    WebhookRequest request = sample(EUROPE, "evt_1");
    byte[] longer = Arrays.copyOf(request.body(), request.body().length + 1);
    longer[request.body().length] = ' ';

    assertThat(
            send(
                new WebhookRequest(
                    request.method(), request.path(), null, request.headers(), longer)))
        .isEqualTo(401);
    assertThat(
            send(
                new WebhookRequest(
                    request.method(), request.path(), null, Headers.empty(), request.body())))
        .isEqualTo(401);
    fixture.advance(Duration.ofMinutes(5).plusSeconds(1));
    assertThat(send(request)).isEqualTo(401);
    assertThat(fixture.messages()).isEmpty();
  }

  @Test
  void a_previous_secret_is_valid_until_it_expires_and_is_recorded() {
    Instant expiry = fixture.time.now().plus(Duration.ofDays(1));
    Source former = Source.of("github", Providers.github()).secret("former").build();
    fixture.open(
        webhooks ->
            webhooks.source(
                Source.of("github", Providers.github())
                    .secret(Secret.of("2026", "current"))
                    .secret(Secret.of("2025", "former").expiringAt(expiry))
                    .build()));

    assertThat(send(sample(former, "1"))).isEqualTo(202);
    Message message = fixture.message();
    assertThat(message.envelope().headers()).containsEntry("mailroom-webhook-secret", "2025");
    fixture.advance(Duration.ofDays(1));
    assertThat(send(sample(former, "2"))).isEqualTo(401);
  }
}
