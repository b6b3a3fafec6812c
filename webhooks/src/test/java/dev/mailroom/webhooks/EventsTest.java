package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.post;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.webhooks.spi.Provider;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from requests with one event. */
class EventsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  static Stream<Sender> senders() {
    return Sender.all();
  }

  @ParameterizedTest
  @CsvSource({
    "adyen, AUTHORISATION, AUTHORISATION:sample-1:true, sample-1, SampleMerchant",
    "bitbucket, pullrequest:created, sample-1, {sample}#1, ",
    "discord, APPLICATION_AUTHORIZED, , sample-1, ",
    "github, issues.opened, sample-1, 1#1, ",
    "gitlab, merge_request.open, sample-1, 1#1, ",
    "gitlab-token, merge_request.open, sample-1, 1#1, ",
    "hubspot, contact.creation, 1:1:1700000000000:1700000000000, 1/1, 1",
    "intercom, conversation.user.created, sample-1, 1, sample",
    "linear, Issue.create, sample-1, sample-issue, sample",
    "paddle, transaction.completed, sample-1, txn_sample, ",
    "razorpay, payment.captured, sample-1, pay_sample, acc_sample",
    "sendgrid, delivered, sample-1, sample.message, ",
    "shopify, orders/create, sample-1, sample.myshopify.com/820982911946154508,"
        + " sample.myshopify.com",
    "slack, message, sample-1, T0SAMPLE/C0SAMPLE, T0SAMPLE",
    "square, payment.updated, sample-1, SAMPLE/sample-payment, SAMPLE",
    "standard-webhooks, invoice.paid, sample-1, , ",
    "stripe, charge.succeeded, sample-1, ch_sample, ",
    "svix, invoice.paid, sample-1, , ",
    "twilio, delivered, sample-1:delivered, sample-1, ACsample",
    "twitch, channel.follow, sample-1, 1, ",
    "zendesk, zen:event-type:ticket.created, zen:event-type:ticket.created:sample-1,"
        + " zen:ticket:1, 1",
    "zoom, meeting.started, , 1, sample"
  })
  void saysWhatHappened(
      String name,
      String type,
      @Nullable String id,
      @Nullable String entity,
      @Nullable String tenant) {
    Sender sender = Sender.of(name);

    WebhookEvent event = only(sender.provider(), sender.request(NOW));

    assertThat(event.type()).isEqualTo(type);
    assertThat(event.id()).isEqualTo(id);
    assertThat(event.entity()).isEqualTo(entity);
    assertThat(event.tenant()).isEqualTo(tenant);
  }

  @ParameterizedTest
  @CsvSource({
    "adyen", "discord", "hubspot", "intercom", "linear", "meta", "paddle", "razorpay", "sendgrid",
    "shopify", "slack", "square", "standard-webhooks", "stripe", "svix", "twitch", "zendesk", "zoom"
  })
  void saysWhenItHappened(String name) {
    Sender sender = Sender.of(name);

    assertThat(only(sender.provider(), sender.request(NOW)).occurredAt()).isEqualTo(NOW);
  }

  @Test
  void theSourcesTenantGoesBeforeTheEvents() {
    Source source =
        Source.of("shop", Providers.shopify()).secret(Sender.SECRET).tenant("ours").build();

    assertThat(source.provider().events(SampleWebhook.of(source).at(NOW), source))
        .allMatch(event -> "ours".equals(event.tenant()));
  }

  @ParameterizedTest
  @CsvSource({
    "stripe, '{\"type\":\"v1.thing\",\"id\":\"evt_1\",\"related_object\":{\"id\":\"r\"}}', r",
    "github, '{\"repository\":{\"id\":7},\"ref\":\"refs/heads/main\"}', 7#refs/heads/main",
    "github, '{\"repository\":{\"id\":7}}', 7",
    "github, '{\"organization\":{\"id\":7}}', ",
    "slack, '{\"team_id\":\"T\",\"event\":{\"channel\":{\"id\":\"C\"}}}', T/C",
    "slack, '{\"team_id\":\"T\",\"event\":{\"user\":\"U\"}}', T/U",
    "adyen, '{\"type\":\"transfer\",\"data\":{\"id\":\"D\"}}', D",
    "adyen, '{\"originalReference\":\"\",\"pspReference\":\"P\"}', P",
    "adyen, '{\"originalReference\":\"O\",\"pspReference\":\"P\"}', O"
  })
  void findsTheEntityWhereItStands(String name, String body, @Nullable String entity) {
    assertThat(only(Providers.named(name), post(body)).entity()).isEqualTo(entity);
  }

  @Test
  void aRevokedTwitchSubscriptionIsAnEventOfItsOwn() {
    WebhookRequest revoked =
        Requests.change(
            Sender.of("twitch").request(NOW), "Twitch-Eventsub-Message-Type", kind -> "revocation");

    assertThat(only(Providers.twitch(), revoked).type()).isEqualTo("revocation");
  }

  @Test
  void theIdOfAZendeskTriggerIsNotTakenFromItsBody() {
    WebhookRequest trigger =
        post("{\"id\":\"35\"}", "X-Zendesk-Webhook-Invocation-Id", "invocation-1");

    assertThat(only(Providers.zendesk(), trigger).id()).isEqualTo("invocation-1");
  }

  @Test
  void jsonInAFormIsRead() {
    WebhookRequest form =
        post(
            "payload=%7B%22action%22%3A%22opened%22%2C%22repository%22%3A%7B%22id%22%3A5%7D%7D",
            "Content-Type", "application/x-www-form-urlencoded", "X-GitHub-Event", "issues");

    WebhookEvent event = only(Providers.github(), form);

    assertThat(event.type()).isEqualTo("issues.opened");
    assertThat(event.entity()).isEqualTo("5");
    assertThat(event.payload()).isSameAs(form.body());
    assertThat(event.contentType()).isEqualTo("application/x-www-form-urlencoded");
  }

  @Test
  void slashCommandsHaveAType() {
    WebhookRequest command =
        post(
            "command=%2Fweather&team_id=T&channel_id=C&trigger_id=t.1",
            "Content-Type", "application/x-www-form-urlencoded");

    WebhookEvent event = only(Providers.slack(), command);

    assertThat(event.type()).isEqualTo("/weather");
    assertThat(event.id()).isEqualTo("t.1");
    assertThat(event.entity()).isEqualTo("T/C");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "[{\"type\":\"t\",\"id\":\"i\"}]",
        "\"text\"",
        "17",
        "{",
        "{\"type\"",
        "{\"type\":}",
        "{'type':'t'}",
        "{\"type\":null,\"id\":null}",
        "{\"type\":{},\"id\":[]}",
        "{\"type\":[\"t\"],\"id\":{\"id\":1}}",
        "\uFEFF{\"type\":\"t\",\"id\":\"i\"}",
        "<xml/>",
        "a=b&c=%zz",
        "{\"type\":\"\\u0000\",\"id\":\"\\ud800\"}",
        "{\"type\":\"a\\nb\",\"id\":\"\\udc00\\ud800\"}",
        "{\"type\":\"\",\"id\":\"  \"}"
      })
  void anOddBodyIsAnEventOfNoType(String body) {
    WebhookRequest request = post(body, "Content-Type", "application/json");

    WebhookEvent event = only(Providers.stripe(), request);

    assertThat(event.type()).isNull();
    assertThat(event.id()).isNull();
    assertThat(event.payload()).isSameAs(request.body());
  }

  @Test
  void bytesThatAreNoUtf8AreAnEventOfNoType() {
    for (byte[] body :
        List.of(
            new byte[] {(byte) 0xff, (byte) 0xfe},
            "{\"type\":\"t\"}".getBytes(UTF_16LE),
            "{\"type\":\"\u00ff\"}".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))) {
      WebhookEvent event = only(Providers.stripe(), post(body));

      assertThat(event.type()).isNull();
      assertThat(event.payload()).isSameAs(body);
      assertThat(event.contentType()).isEqualTo("application/octet-stream");
    }
  }

  @Test
  void whatIsDeeperOrLongerThanTheLimitsIsAnEventOfNoType() {
    String deep = "{\"a\":".repeat(201) + "1" + "}".repeat(201);
    String number = "{\"a\":" + "9".repeat(1_001) + ",\"type\":\"t\"}";

    assertThat(only(Providers.stripe(), post("{\"x\":" + deep + ",\"type\":\"t\"}")).type())
        .isNull();
    assertThat(only(Providers.stripe(), post("{\"id\":" + number + "}")).id()).isNull();
  }

  @Test
  void longTextsAndOtherScriptsAreReadAsTheyAre() {
    String name = "Grüße ♥ \uD83D\uDE00".repeat(100);

    assertThat(only(Providers.stripe(), post("{\"type\":\"" + name + "\"}")).type())
        .isEqualTo(name);
  }

  @ParameterizedTest
  @MethodSource("senders")
  void thePayloadIsWhatWasReceived(Sender sender) {
    WebhookRequest request = sender.request(NOW);

    String payload = new String(only(sender.provider(), request).payload(), UTF_8);

    assertThat(new String(request.body(), UTF_8)).contains(payload);
  }

  private static WebhookEvent only(Provider provider, WebhookRequest request) {
    Source source = new Source("test", provider, List.of(), null, null, null, null, null);
    List<WebhookEvent> events = provider.events(request, source);
    assertThat(events).hasSize(1);
    return events.get(0);
  }
}
