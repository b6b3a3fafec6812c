package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.change;
import static dev.mailroom.webhooks.Requests.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.webhooks.spi.Verification.Reason;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers with several signatures, as they are while a secret is replaced. */
class SignatureListsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String BAD_HEX =
      "0000000000000000000000000000000000000000000000000000000000000000";
  private static final String BAD_BASE64 = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  @ParameterizedTest
  @CsvSource({
    "stripe, ',v1=" + BAD_HEX + "'",
    "stripe, ',v1=no hexadecimal digits'",
    "stripe, ',v0=" + BAD_HEX + "'",
    "paddle, ';h1=" + BAD_HEX + "'",
    "standard-webhooks, ' v1," + BAD_BASE64 + "'",
    "standard-webhooks, ' v1a," + BAD_BASE64 + "'",
    "standard-webhooks, ' v2,something'",
    "svix, ' v1," + BAD_BASE64 + "'"
  })
  void oneGoodSignatureIsEnough(String name, String bad) {
    Sender sender = Sender.of(name);

    assertThat(accepts(sender.source(), signed(sender, good -> good + bad), NOW)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "stripe, 't=1700000000,', 'v1=" + BAD_HEX + ",'",
    "paddle, 'ts=1700000000;', 'h1=" + BAD_HEX + ";'",
    "standard-webhooks, '', 'v1," + BAD_BASE64 + " '",
    "svix, '', 'v1," + BAD_BASE64 + " '"
  })
  void theBadOneCanComeFirst(String name, String time, String bad) {
    Sender sender = Sender.of(name);

    assertThat(
            accepts(
                sender.source(),
                signed(sender, good -> time + bad + good.substring(time.length())),
                NOW))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "stripe, v1=, v0=, MISSING_SIGNATURE",
    "stripe, t=, x=, MISSING_TIMESTAMP",
    "stripe, t=1, t=x, MALFORMED_TIMESTAMP",
    "stripe, 't=1700000000', 't=1700000000,t=1700000000', MALFORMED_SIGNATURE",
    "paddle, h1=, h2=, MISSING_SIGNATURE",
    "paddle, ts=, x=, MISSING_TIMESTAMP",
    "standard-webhooks, 'v1,', 'v2,', MISSING_SIGNATURE",
    "standard-webhooks, 'v1,', 'v1a,', MISSING_SIGNATURE",
    "standard-webhooks, 'v1,', 'v1,!', MALFORMED_SIGNATURE",
    "standard-webhooks, 'v1,', 'v1 ', MALFORMED_SIGNATURE",
    "github, sha256=, sha1=, MALFORMED_SIGNATURE",
    "github, sha256=, sha256=x, MALFORMED_SIGNATURE",
    "bitbucket, sha256=, sha1=, MALFORMED_SIGNATURE",
    "intercom, sha1=, sha256=, MALFORMED_SIGNATURE",
    "slack, v0=, v1=, MALFORMED_SIGNATURE",
    "zoom, v0=, '', MALFORMED_SIGNATURE"
  })
  void anotherSchemeIsNoSignature(String name, String own, String other, Reason reason) {
    Sender sender = Sender.of(name);

    assertThat(
            refusal(
                sender.source(),
                signed(sender, good -> good.replace(own, other == null ? "" : other)),
                NOW))
        .isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "stripe, ',v1=" + BAD_HEX + "'",
    "paddle, ';h1=" + BAD_HEX + "'",
    "svix, ' v1," + BAD_BASE64 + "'"
  })
  void moreThanSixteenSignaturesAreRefused(String name, String bad) {
    Sender sender = Sender.of(name);

    assertThat(accepts(sender.source(), signed(sender, good -> good + bad.repeat(15)), NOW))
        .isTrue();
    assertThat(refusal(sender.source(), signed(sender, good -> good + bad.repeat(16)), NOW))
        .isEqualTo(Reason.MALFORMED_SIGNATURE);
  }

  @Test
  void sharedAndPublicKeysCanBeLiveAtOnce() {
    Sender shared = Sender.of("standard-webhooks");
    Sender open = Sender.of("standard-webhooks, v1a");
    Source both =
        Requests.source(
            Providers.standardWebhooks(),
            shared.source().secrets().get(0).value(),
            open.source().secrets().get(0).value());

    assertThat(accepts(both, shared.request(NOW), NOW)).isTrue();
    assertThat(accepts(both, open.request(NOW), NOW)).isTrue();
    assertThat(refusal(shared.source(), open.request(NOW), NOW))
        .isEqualTo(Reason.MISSING_SIGNATURE);
    assertThat(refusal(open.source(), shared.request(NOW), NOW))
        .isEqualTo(Reason.MISSING_SIGNATURE);
  }

  /** Which of an algorithm's keys it is must not be for the request to say. */
  @Test
  void aPublicKeyIsNeverUsedAsASharedOne() {
    Sender open = Sender.of("standard-webhooks, v1a");
    String publicKey = open.source().secrets().get(0).value().substring("whpk_".length());
    Source forged = Requests.source(Providers.standardWebhooks(), "whsec_" + publicKey);
    WebhookRequest request = SampleWebhook.of(forged).at(NOW);

    assertThat(accepts(forged, request, NOW)).isTrue();
    assertThat(accepts(open.source(), request, NOW)).isFalse();
    assertThat(
            accepts(
                open.source(),
                change(request, "webhook-signature", good -> good.replace("v1,", "v1a,")),
                NOW))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"whsk_" + BAD_BASE64, "whpk_AAAA", "whsec_no base64", "whsec_", "whpk_"})
  void aKeyOfTheWrongFormIsFoundBeforeTheFirstRequest(String secret) {
    assertThatThrownBy(() -> Requests.source(Providers.standardWebhooks(), secret))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("secret 'secret-1' is no key of standard-webhooks")
        .hasMessageNotContaining(secret);
  }

  @ParameterizedTest
  @CsvSource({
    "discord, 00, an Ed25519 key has 32 bytes",
    "discord, xyz, hexadecimal",
    "sendgrid, AAAA, not a public key",
    "sendgrid, ---, Base64",
    "adyen, 123, hexadecimal",
    "gitlab, a token, gitlab-token",
    "gitlab, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, has 32 bytes"
  })
  void theErrorSaysWhatIsWrongWithAKey(String provider, String secret, String error) {
    assertThatThrownBy(() -> Requests.source(Providers.named(provider), secret))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(error);
  }

  private static WebhookRequest signed(Sender sender, UnaryOperator<String> header) {
    return change(
        sender.request(NOW),
        Objects.requireNonNull(sender.signature()),
        good -> header.apply(Objects.requireNonNull(good)));
  }
}
