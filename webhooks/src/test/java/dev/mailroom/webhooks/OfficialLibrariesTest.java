package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.post;
import static dev.mailroom.webhooks.Requests.withBody;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.adyen.model.notification.Amount;
import com.adyen.model.notification.NotificationRequestItem;
import com.adyen.util.HMACValidator;
import com.slack.api.app_backend.SlackSignature;
import com.stripe.net.Webhook;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the providers' own libraries sign is accepted, and with one byte changed it is not. */
class OfficialLibrariesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String TIME = "1700000000";
  private static final String BODY =
      "{\"id\":\"evt_1\",\"type\":\"charge.succeeded\",\"text\":\"Grüße ♥ \uD83D\uDE00\\u0000\"}\n";

  @Test
  void stripe() throws Exception {
    Source source = Requests.source(Providers.stripe(), "whsec_test_secret");
    String header =
        Webhook.Signature.generateSignatureHeader(BODY, "whsec_test_secret", NOW.getEpochSecond());

    assertIsTakenAsItIs(source, post(BODY, "Stripe-Signature", header));
  }

  @Test
  void standardWebhooks() throws Exception {
    Source source = Requests.source(Providers.standardWebhooks(), Sender.SHARED);
    String signature =
        new com.standardwebhooks.Webhook(Sender.SHARED).sign("msg_1", NOW.getEpochSecond(), BODY);

    assertIsTakenAsItIs(
        source,
        post(
            BODY,
            "webhook-id",
            "msg_1",
            "webhook-timestamp",
            TIME,
            "webhook-signature",
            signature));
  }

  @Test
  void svix() throws Exception {
    Source source = Requests.source(Providers.svix(), Sender.SHARED);
    String signature =
        new com.svix.Webhook(Sender.SHARED).sign("msg_1", NOW.getEpochSecond(), BODY);

    assertIsTakenAsItIs(
        source,
        post(BODY, "svix-id", "msg_1", "svix-timestamp", TIME, "svix-signature", signature));
    assertIsTakenAsItIs(
        source,
        post(
            BODY,
            "webhook-id",
            "msg_1",
            "webhook-timestamp",
            TIME,
            "webhook-signature",
            signature));
  }

  @Test
  void slack() {
    Source source = Requests.source(Providers.slack(), "8f742231b10e8888abcd99yyyzzz85a5");
    String signature =
        new SlackSignature.Generator("8f742231b10e8888abcd99yyyzzz85a5").generate(TIME, BODY);

    assertIsTakenAsItIs(
        source, post(BODY, "X-Slack-Request-Timestamp", TIME, "X-Slack-Signature", signature));
  }

  @Test
  void adyenAsAWhole() throws Exception {
    Source source = Requests.source(Providers.adyen(), Sender.HEX_KEY);
    String signature = new HMACValidator().calculateHMAC(BODY, Sender.HEX_KEY);

    assertIsTakenAsItIs(source, post(BODY, "HmacSignature", signature));
  }

  /** With the separator and an escape in the values, which are signed as they are. */
  @Test
  void adyenByItems() throws Exception {
    Source source = Requests.source(Providers.adyen(), Sender.HEX_KEY);
    NotificationRequestItem item =
        new NotificationRequestItem()
            .setPspReference("7914073381342284")
            .setMerchantAccountCode("Test:Merchant")
            .setMerchantReference("a\\b:c")
            .setAmount(new Amount().value(1130L).currency("EUR"))
            .setEventCode("AUTHORISATION")
            .setSuccess(true);
    String body =
        """
        {"live":"false","notificationItems":[{"NotificationRequestItem":{
          "pspReference":"7914073381342284","merchantAccountCode":"Test:Merchant",
          "merchantReference":"a\\\\b:c","amount":{"value":1130,"currency":"EUR"},
          "eventCode":"AUTHORISATION","success":"true",
          "additionalData":{"hmacSignature":"%s"}}}]}
        """
            .formatted(new HMACValidator().calculateHMAC(item, Sender.HEX_KEY));

    assertThat(accepts(source, post(body), NOW)).isTrue();
    assertThat(accepts(source, post(body.replace("1130", "1131")), NOW)).isFalse();
    assertThat(accepts(source, post(body.replace("a\\\\b:c", "a\\\\b:d")), NOW)).isFalse();
  }

  private static void assertIsTakenAsItIs(Source source, WebhookRequest request) {
    assertThat(accepts(source, request, NOW)).isTrue();
    for (int i = 0; i < request.body().length; i++) {
      byte[] changed = request.body().clone();
      changed[i] ^= 0x20;
      assertThat(accepts(source, withBody(request, changed), NOW)).as("byte %s", i).isFalse();
    }
    assertThat(new String(request.body(), UTF_8)).isEqualTo(BODY);
  }
}
