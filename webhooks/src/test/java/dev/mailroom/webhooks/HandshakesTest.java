package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.webhooks.spi.Verification.Verified;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How providers find out whether an address is ours. */
class HandshakesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String SECRET = "test_secret";

  static Stream<Sender> senders() {
    return Sender.all();
  }

  @ParameterizedTest
  @MethodSource("senders")
  void anEventIsNoHandshake(Sender sender) {
    WebhookRequest request = sender.request(NOW);

    assertThat(sender.provider().answerUnsignedHandshake(request, sender.source())).isNull();
    assertThat(
            sender
                .provider()
                .answerSignedHandshake(request, sender.source(), new Verified("secret-1")))
        .isNull();
  }

  @Test
  void slackGetsItsChallengeBack() {
    Source source = Requests.source(Providers.slack(), SECRET);

    WebhookResponse answer =
        answer(source, post("{\"type\":\"url_verification\",\"challenge\":\"3eZb<&\"}"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer)).isEqualTo("3eZb<&");
    assertThat(answer.headers()).containsEntry("Content-Type", "text/plain; charset=utf-8");
  }

  @Test
  void slackCanAskForTheCertificate() {
    Source source = Requests.source(Providers.slack(), SECRET);
    WebhookRequest check =
        post("ssl_check=1&token=x", "Content-Type", "application/x-www-form-urlencoded");

    assertThat(answer(source, check).status()).isEqualTo(200);
  }

  @Test
  void twitchGetsItsChallengeBack() {
    Source source = Requests.source(Providers.twitch(), SECRET);

    WebhookResponse answer =
        answer(
            source,
            post(
                "{\"challenge\":\"pogchamp-kappa-360noscope-vohiyo\",\"subscription\":{}}",
                "Twitch-Eventsub-Message-Type",
                "webhook_callback_verification"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer)).isEqualTo("pogchamp-kappa-360noscope-vohiyo");
    assertThat(answer.headers().get("Content-Type")).startsWith("text/plain");
  }

  @Test
  void zoomGetsItsTokenBackSigned() {
    Source source = Requests.source(Providers.zoom(), SECRET);

    WebhookResponse answer =
        answer(
            source,
            post(
                "{\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"},"
                    + "\"event\":\"endpoint.url_validation\"}"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(text(answer))
        .isEqualTo(
            "{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\",\"encryptedToken\":"
                + "\"af2b71c039092798acffde4bc073be46286db03f4d82bfac9008822d0fac2449\"}");
  }

  @Test
  void zoomsTokenIsSignedByTheSecretThatItKnows() {
    Source source = Requests.source(Providers.zoom(), "newer", SECRET);
    WebhookRequest request =
        post(
            "{\"payload\":{\"plainToken\":\"qgg8vlvZRS6UYooatFL8Aw\"},"
                + "\"event\":\"endpoint.url_validation\"}");

    WebhookResponse answer =
        Providers.zoom().answerSignedHandshake(request, source, new Verified("secret-2"));

    assertThat(answer).isNotNull();
    assertThat(text(answer))
        .contains("af2b71c039092798acffde4bc073be46286db03f4d82bfac9008822d0fac2449");
  }

  @Test
  void whatZoomSendsIsQuoted() {
    Source source = Requests.source(Providers.zoom(), SECRET);

    assertThat(
            text(
                answer(
                    source,
                    post(
                        "{\"event\":\"endpoint.url_validation\","
                            + "\"payload\":{\"plainToken\":\"a\\\"b\\\\\\n\"}}"))))
        .startsWith("{\"plainToken\":\"a\\\"b\\\\\\n\",");
  }

  @ParameterizedTest
  @CsvSource({"'{\"type\":0}', 204, ''", "'{\"type\":1}', 200, '{\"type\":1}'"})
  void discordsPingsAreAnswered(String body, int status, String expected) {
    Sender discord = Sender.of("discord");

    WebhookResponse answer = answer(discord.source(), post(body));

    assertThat(answer.status()).isEqualTo(status);
    assertThat(text(answer)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "hub.mode=subscribe&hub.verify_token=token&hub.challenge=1158201444, 200, 1158201444",
        "hub.mode=subscribe&hub.verify_token=t%6Fken&hub.challenge=%3Cb%3E, 200, <b>",
        "hub.mode=subscribe&hub.verify_token=other&hub.challenge=1, 403, ''",
        "hub.mode=subscribe&hub.verify_token=&hub.challenge=1, 403, ''",
        "hub.mode=subscribe&hub.challenge=1, 403, ''",
        "hub.mode=unsubscribe&hub.verify_token=token&hub.challenge=1, 403, ''",
        "hub.mode=subscribe&hub.verify_token=token, 403, ''",
        "hub.mode=%zz, 403, ''",
        "-, 403, ''"
      })
  void metasHandshakeNeedsTheToken(@Nullable String query, int status, String body) {
    Source source = Source.of("meta", Providers.meta()).secret(SECRET).verifyToken("token").build();

    WebhookResponse answer = Providers.meta().answerUnsignedHandshake(get(query), source);

    assertThat(answer).isNotNull();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(text(answer)).isEqualTo(body);
    if (status == 200) {
      assertThat(answer.headers()).containsEntry("X-Content-Type-Options", "nosniff");
    }
  }

  @Test
  void metasHandshakeIsRefusedWithoutATokenInTheSource() {
    Source source = Source.of("meta", Providers.meta()).secret(SECRET).build();

    WebhookResponse answer =
        Providers.meta()
            .answerUnsignedHandshake(
                get("hub.mode=subscribe&hub.verify_token=null&hub.challenge=1"), source);

    assertThat(answer).isNotNull();
    assertThat(answer.status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "discord, 204, 204",
    "zoom, 200, 200",
    "slack, 200, 200",
    "meta, 200, 200",
    "paddle, 200, 200",
    "linear, 200, 200",
    "twilio, 200, 200",
    "adyen, 202, 200",
    "stripe, 202, 200",
    "github, 202, 200"
  })
  void everyProviderGetsItsExpectedAcknowledgement(String name, int stored, int duplicate) {
    assertThat(Providers.named(name).acknowledgement().stored().status()).isEqualTo(stored);
    assertThat(Providers.named(name).acknowledgement().duplicate().status()).isEqualTo(duplicate);
  }

  private static WebhookResponse answer(Source source, WebhookRequest request) {
    WebhookResponse answer =
        source.provider().answerSignedHandshake(request, source, new Verified("secret-1"));
    assertThat(answer).isNotNull();
    return answer;
  }

  private static WebhookRequest get(@Nullable String query) {
    return new WebhookRequest("GET", "/webhooks/meta", query, Headers.empty(), new byte[0]);
  }

  private static String text(WebhookResponse answer) {
    return new String(answer.body(), UTF_8);
  }
}
