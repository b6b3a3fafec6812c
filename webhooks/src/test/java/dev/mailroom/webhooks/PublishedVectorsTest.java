package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.webhooks.HmacProviderBuilder.Encoding;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Signatures that providers have published, or that their own libraries made. */
class PublishedVectorsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String URL = "https://example.com/webhooks/test";
  private static final String HELLO = "{\"hello\":\"world\"}";
  private static final String HELLO_HEX =
      "b7b1e7e190c7aace9efb076f2394f2408bf389ed0398c526b97101ab2c84fed3";
  private static final String ADYEN_KEY =
      "9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6";
  private static final String SLASH_COMMAND =
      "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
          + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
          + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
          + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
          + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
  private static final String DROPPED_MAIL =
      "[{\"email\":\"hello@world.com\",\"event\":\"dropped\",\"reason\":\"Bounced Address\","
          + "\"sg_event_id\":\"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA\","
          + "\"sg_message_id\":\"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-"
          + "5F5FC76C-9.0\",\"smtp-id\":\"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>\","
          + "\"timestamp\":1600112492}]\r\n";

  record Vector(
      String name,
      Provider provider,
      String secret,
      String url,
      Instant now,
      WebhookRequest request) {
    static Vector of(String name, Provider provider, String secret, WebhookRequest request) {
      return new Vector(name, provider, secret, URL, NOW, request);
    }

    Vector at(long seconds) {
      return new Vector(name, provider, secret, url, Instant.ofEpochSecond(seconds), request);
    }

    Vector on(String other) {
      return new Vector(name, provider, secret, other, now, request);
    }

    Vector query(String query) {
      return new Vector(name, provider, secret, url, now, Requests.withQuery(request, query));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Vector> published() {
    return Stream.of(
        Vector.of(
            "GitHub, documentation",
            Providers.github(),
            "It's a Secret to Everybody",
            post(
                "Hello, World!",
                "X-Hub-Signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17")),
        Vector.of(
            "GitHub, octokit",
            Providers.github(),
            "mysecret",
            post(
                "{\"foo\":\"bar\"}",
                "X-Hub-Signature-256",
                "sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3")),
        hmac("", "f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd"),
        hmac(
            "{\"obj1\":\"hello\",\"obj2\":\"world\"}",
            "bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363"),
        hmac("\uD83D\uDE00", "837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43"),
        Vector.of(
            "Stripe, header",
            Providers.stripe(),
            "whsec_test_secret",
            post(
                "{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}",
                "Stripe-Signature",
                "t=1700000000,v1="
                    + "4f1cd7feda9826e746b7d482c4badebb657398df1099e1046364f6196a230150")),
        standard(
                "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "1614265330",
                "{\"test\": 2432232314}",
                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
            .at(1_614_265_330),
        standard(
                "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
                "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
                "1649367553",
                "{\"email\":\"test@example.com\",\"username\":\"test_user\"}",
                "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=")
            .at(1_649_367_553),
        Vector.of(
                "Slack",
                Providers.slack(),
                "8f742231b10e8888abcd99yyyzzz85a5",
                post(
                    SLASH_COMMAND,
                    "Content-Type",
                    "application/x-www-form-urlencoded",
                    "X-Slack-Request-Timestamp",
                    "1531420618",
                    "X-Slack-Signature",
                    "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"))
            .at(1_531_420_618),
        Vector.of(
                "Twilio",
                Providers.twilio(),
                "12345",
                post(
                    "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234"
                        + "&From=%2B14158675309&To=%2B18005551212",
                    "Content-Type",
                    "application/x-www-form-urlencoded; charset=utf-8",
                    "X-Twilio-Signature",
                    "RSOYDt4T1cUTdK1PDd93/VVr8B8="))
            .on("https://mycompany.com/myapp.php")
            .query("foo=1&bar=2"),
        Vector.of(
                "Square, documentation",
                Providers.square(),
                "Ibxx_5AKakO-3qeNVR61Dw",
                post(
                    "{\"merchant_id\":\"MLEFBHHSJGVHD\",\"type\":\"webhooks.test_notification\","
                        + "\"event_id\":\"ac3ac95b-f97d-458c-a6e6-18981597e05f\","
                        + "\"created_at\":\"2022-07-13T20:30:59.037339943Z\","
                        + "\"data\":{\"type\":\"webhooks\","
                        + "\"id\":\"bc368e64-01aa-407e-b46e-3231809b1129\"}}",
                    "x-square-hmacsha256-signature",
                    "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4="))
            .on("https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9"),
        Vector.of(
                "Square, angle brackets",
                Providers.square(),
                "signature-key",
                post(
                    "{\"data\":{\"type\":\"webhooks\",\"id\":\">id<\"}}",
                    "X-Square-HmacSha256-Signature",
                    "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U="))
            .on("https://webhook.site/webhooks"),
        Vector.of(
                "Paddle",
                Providers.paddle(),
                "VALID_SECRET",
                post(
                    "{\"data\": [\"1\", \"2\"]}",
                    "Paddle-Signature",
                    "ts=1698796800;h1="
                        + "a300428748dce5c70e4da19bffd60769591ea969c99dea3105d0ec9612cf43f9"))
            .at(1_698_796_800),
        Vector.of(
                "HubSpot",
                Providers.hubspot(),
                "yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy",
                post(
                    "{\"example_field\":\"example_value\"}",
                    "X-HubSpot-Request-Timestamp",
                    "1700000000000",
                    "X-HubSpot-Signature-v3",
                    "rQEKkaNUiu+1qGF//O/pw4BCzstSqO1PyUnGICmf+7o="))
            .on("https://www.example.com/webhook_uri"),
        Vector.of(
            "Adyen, header",
            Providers.adyen(),
            ADYEN_KEY,
            post("TestPayload", "HmacSignature", "YA9/UDjldIO4Gq68X4ATYYoEaPYH4f4k2uzBBzEF1PA=")),
        Vector.of("Adyen, item", Providers.adyen(), ADYEN_KEY, post(adyenReport())),
        Vector.of(
                "SendGrid",
                Providers.sendgrid(),
                "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe6"
                    + "2gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
                post(
                    DROPPED_MAIL,
                    "X-Twilio-Email-Event-Webhook-Timestamp",
                    "1600112502",
                    "X-Twilio-Email-Event-Webhook-Signature",
                    "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15Tl"
                        + "uLtEZtM="))
            .at(1_600_112_502),
        Vector.of(
            "Convoy, by a generic provider",
            Providers.hmac("convoy").header("X-Convoy-Signature").build(),
            "convoy-webhook-secret",
            post(
                "{\"event\":\"charge.success\",\"amount\":1000,\"currency\":\"NGN\"}",
                "X-Convoy-Signature",
                "244449b7f48cbc2709060c9dcdc2b3aa47a78f540430579015c579fb12defbb4")));
  }

  /** By the documented formula, with another implementation of it. */
  static Stream<Vector> derived() {
    String secret = "test_secret";
    return Stream.of(
        Vector.of(
            "Shopify",
            Providers.shopify(),
            secret,
            post(HELLO, "X-Shopify-Hmac-SHA256", "t7Hn4ZDHqs6e+wdvI5TyQIvzie0DmMUmuXEBqyyE/tM=")),
        Vector.of(
            "Shopify, newer headers",
            Providers.shopify(),
            secret,
            post(HELLO, "Shopify-Hmac-Sha256", "t7Hn4ZDHqs6e+wdvI5TyQIvzie0DmMUmuXEBqyyE/tM=")),
        Vector.of(
            "Zoom",
            Providers.zoom(),
            secret,
            post(
                HELLO,
                "x-zm-request-timestamp",
                "1700000000",
                "x-zm-signature",
                "v0=3f9194a49468d3e83cf85860c062ae6b4a77012cabc1bda8af279244e5bdf3a5")),
        Vector.of(
                "Twitch",
                Providers.twitch(),
                secret,
                post(
                    HELLO,
                    "Twitch-Eventsub-Message-Id",
                    "e76c6bd4-55c9-4987-8304-da1588d8988b",
                    "Twitch-Eventsub-Message-Timestamp",
                    "2019-11-16T10:11:12.634234626Z",
                    "Twitch-Eventsub-Message-Signature",
                    "sha256=88793436d8fae326fe5df0ae162997ea8f5d2c2cacc3f3eb12f2c87051b36b37"))
            .at(1_573_899_072),
        Vector.of(
            "Zendesk",
            Providers.zendesk(),
            secret,
            post(
                HELLO,
                "X-Zendesk-Webhook-Signature-Timestamp",
                "2023-11-14T22:13:20Z",
                "X-Zendesk-Webhook-Signature",
                "C/KfF9K7wyKO5/zy4II/d+q3BBgU088veCw7/p7MyMA=")),
        Vector.of(
            "Linear",
            Providers.linear(),
            secret,
            post(HELLO, "Linear-Timestamp", "1700000000000", "Linear-Signature", HELLO_HEX)),
        Vector.of(
            "Razorpay",
            Providers.razorpay(),
            secret,
            post(HELLO, "X-Razorpay-Signature", HELLO_HEX)),
        Vector.of(
            "Meta",
            Providers.meta(),
            secret,
            post(HELLO, "X-Hub-Signature-256", "sha256=" + HELLO_HEX)),
        Vector.of(
            "Bitbucket",
            Providers.bitbucket(),
            secret,
            post(HELLO, "X-Hub-Signature", "sha256=" + HELLO_HEX)),
        Vector.of(
            "Intercom",
            Providers.intercom(),
            secret,
            post(HELLO, "X-Hub-Signature", "sha1=3cf4f6de54c71fe21f03b5918c4b48bb83e3897a")),
        Vector.of(
            "GitLab",
            Providers.gitlab(),
            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
            post(
                HELLO,
                "webhook-id",
                "msg_1",
                "webhook-timestamp",
                "1700000000",
                "webhook-signature",
                "v1,MKMdLrQZtvhGCti+Xfl0dES/Iq+R/K9NkTcZcULT6UA=")));
  }

  @ParameterizedTest
  @MethodSource({"published", "derived"})
  void verifies(Vector vector) {
    Source source = source(vector);

    assertThat(source.provider().verify(vector.request(), source, vector.now()))
        .isEqualTo(new Verification.Verified("secret-1"));
  }

  @ParameterizedTest
  @MethodSource({"published", "derived"})
  void doesNotVerifyWithAnotherSecret(Vector vector) {
    char last = vector.secret().charAt(3);
    String other = vector.secret().substring(0, 3) + (last == 'A' ? 'B' : 'A');
    boolean decodes = !vector.provider().name().matches("sendgrid|gitlab|standard-webhooks|adyen");
    Source source =
        source(
            new Vector(
                vector.name(),
                vector.provider(),
                decodes ? other : otherKey(vector.provider().name()),
                vector.url(),
                vector.now(),
                vector.request()));

    assertThat(source.provider().verify(vector.request(), source, vector.now()))
        .isInstanceOf(Verification.Refused.class);
  }

  private static String otherKey(String provider) {
    return switch (provider) {
      case "adyen" -> "00" + ADYEN_KEY.substring(2);
      case "sendgrid" ->
          "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpZP40Li/hp/m47n"
              + "60p8D54WK84zV2sxXs7LtkBoN79R9Q==";
      default -> "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWg=";
    };
  }

  private static Source source(Vector vector) {
    return Source.of("test", vector.provider())
        .secret(vector.secret())
        .publicUrl(vector.url())
        .build();
  }

  /** A bare HMAC, as Stripe tests it, by a provider that signs nothing but the body. */
  private static Vector hmac(String body, String signature) {
    return Vector.of(
        "Stripe, bare HMAC of '" + body + "'",
        Providers.hmac("bare").header("Signature").encoding(Encoding.HEX).build(),
        "test_secret",
        post(body, "Signature", signature));
  }

  private static Vector standard(
      String secret, String id, String time, String body, String signature) {
    return Vector.of(
        "Standard Webhooks, " + id,
        Providers.standardWebhooks(),
        secret,
        post(body, "webhook-id", id, "webhook-timestamp", time, "webhook-signature", signature));
  }

  private static String adyenReport() {
    return "{\"live\":\"false\",\"notificationItems\":[{\"NotificationRequestItem\":{"
        + "\"additionalData\":{\"hmacSignature\":"
        + "\"NuEkADFmlCC6VgX+wcoPAegIWxVPNBPCuKlM4Hzo5qc=\"},"
        + "\"amount\":{\"value\":0,\"currency\":\"EUR\"},\"eventCode\":\"REPORT_AVAILABLE\","
        + "\"merchantAccountCode\":\"Magento2Rik\",\"merchantReference\":\"testMerchantRef1\","
        + "\"pspReference\":\"test_REPORT_AVAILABLE\",\"success\":\"true\"}}]}";
  }
}
