package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.change;
import static dev.mailroom.webhooks.Requests.post;
import static dev.mailroom.webhooks.Requests.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.webhooks.HmacProviderBuilder.Algorithm;
import dev.mailroom.webhooks.HmacProviderBuilder.Encoding;
import dev.mailroom.webhooks.HmacProviderBuilder.TimeFormat;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Refused;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Providers that are not built in. */
class CustomProvidersTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  @Test
  void everySettingOfASharedSecretProviderIsApplied() {
    Provider provider =
        Providers.hmac("acme")
            .header("X-Acme-Signature")
            .prefix("sig:")
            .algorithm(Algorithm.SHA512)
            .encoding(Encoding.BASE64)
            .keyEncoding(Encoding.HEX)
            .timestampHeader("X-Acme-Time", TimeFormat.MILLISECONDS)
            .content("{method} {url} {timestamp} {body}")
            .tolerance(Duration.ofSeconds(30))
            .type("X-Acme-Event", "$.kind")
            .id("$.key")
            .entity("$.thing.id")
            .tenant("$.owner")
            .occurredAt("$.at")
            .acknowledgement(Acknowledgement.always(WebhookResponse.of(204)))
            .build();
    Source source = Requests.source(provider, "00ff");
    WebhookRequest request =
        SampleWebhook.of(source)
            .body(
                "{\"kind\":\"k\",\"key\":1,\"thing\":{\"id\":2},\"owner\":3,\"at\":4}"
                    .getBytes(UTF_8))
            .at(NOW);

    assertThat(request.headers().first("X-Acme-Signature")).startsWith("sig:").hasSize(4 + 88);
    assertThat(request.headers().first("X-Acme-Time")).isEqualTo("1700000000000");
    assertThat(accepts(source, request, NOW.plusSeconds(30))).isTrue();
    assertThat(refusal(source, request, NOW.plusSeconds(31))).isEqualTo(Reason.TOO_OLD);
    assertThat(refusal(source, change(request, "X-Acme-Time", t -> "1700000000001"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(provider.events(request, source))
        .containsExactly(
            new WebhookEvent(
                "k", "1", "2", "3", Instant.ofEpochSecond(4), request.body(), "application/json"));
    assertThat(provider.acknowledgement().stored().status()).isEqualTo(204);
  }

  @Test
  void aTimeIsSignedInFrontOfTheBodyUnlessSaidOtherwise() {
    Provider provider =
        Providers.hmac("acme")
            .header("Signature")
            .timestampHeader("Time", TimeFormat.SECONDS)
            .build();
    Source source = Requests.source(provider, "whsec_test_secret");

    assertThat(
            accepts(
                source,
                post(
                    "{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}",
                    "Time",
                    "1700000000",
                    "Signature",
                    "4f1cd7feda9826e746b7d482c4badebb657398df1099e1046364f6196a230150"),
                NOW))
        .isTrue();
  }

  @Test
  void everyInvalidSettingIsReportedAtOnce() {
    assertThatThrownBy(
            () ->
                Providers.hmac("No Name")
                    .encoding(Encoding.TEXT)
                    .content("{timestamp}.{payload}")
                    .tolerance(Duration.ZERO)
                    .items("events")
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("name is No Name")
        .hasMessageContaining("header is missing")
        .hasMessageContaining("encoding is TEXT")
        .hasMessageContaining("tolerance is PT0S")
        .hasMessageContaining("items is events")
        .hasMessageContaining("must have the {body} in it")
        .hasMessageContaining("timestampHeader is missing")
        .hasMessageContaining("nothing is called '{payload}'");
    assertThatThrownBy(
            () ->
                Providers.hmac("acme")
                    .header("Signature")
                    .timestampHeader("Time", TimeFormat.SECONDS)
                    .content("{body}")
                    .build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("the timestamp is not signed");
  }

  @Test
  void aSignedUrlMustBeKnown() {
    Provider provider = Providers.hmac("acme").header("Signature").content("{url}{body}").build();

    assertThatThrownBy(() -> Source.of("a", provider).secret("s").build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("publicUrl is missing");
  }

  @Test
  void aProviderCanBeMadeOfItsHalves() {
    Provider provider =
        Providers.of(
            "acme",
            (request, source, now) ->
                "swordfish".equals(request.headers().first("Password"))
                    ? new Verified(source.secrets().get(0).label())
                    : new Refused(Reason.BAD_SIGNATURE, "Wrong password."),
            (request, source) ->
                List.of(
                    new WebhookEvent(
                        "knock", null, null, null, null, request.body(), "text/plain")));
    Source source = Source.of("door", provider).secret("swordfish").build();

    assertThat(accepts(source, post("hello", "Password", "swordfish"), NOW)).isTrue();
    assertThat(refusal(source, post("hello"), NOW)).isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(provider.events(post("hello"), source))
        .extracting(WebhookEvent::type)
        .containsExactly("knock");
    assertThat(provider.methods()).containsExactly("POST");
    assertThatThrownBy(() -> SampleWebhook.of(source))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'acme'");
  }

  @Test
  void aSampleForAPublicKeyNeedsThePrivateOne() {
    Source discord = Sender.of("discord").source();

    assertThatThrownBy(() -> SampleWebhook.of(discord).at(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the private one is needed");
  }

  @Test
  void samplesWithDifferentIdsAreDifferentEvents() {
    Sender.all()
        .filter(sender -> !sender.name().matches("hubspot"))
        .forEach(
            sender ->
                assertThat(sender.sample().id("a").at(NOW))
                    .as(sender.name())
                    .isNotEqualTo(sender.sample().id("b").at(NOW)));
  }

  @Test
  void aSampleIsSentWhereTheSourceIsReceived() {
    Source source =
        Source.of("shop", Providers.square())
            .secret("s")
            .path("/hooks/square")
            .publicUrl("https://example.com/hooks/square?a=1")
            .build();

    WebhookRequest request = SampleWebhook.of(source).at(NOW);

    assertThat(request.path()).isEqualTo("/hooks/square");
    assertThat(request.query()).isEqualTo("a=1");
    assertThat(accepts(source, request, NOW)).isTrue();
  }
}
