package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.webhooks.spi.Verification.Reason;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Twilio signs URLs, and does not always write them the same way. */
class TwilioTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String TOKEN = "12345";

  @ParameterizedTest
  @CsvSource({
    "https://example.com/hook, , https://example.com/hook",
    "https://example.com/hook, , https://example.com:443/hook",
    "https://example.com:443/hook, , https://example.com/hook",
    "http://example.com/hook, , http://example.com:80/hook",
    "https://example.com:8443/hook, , https://example.com/hook",
    "https://example.com:8443/hook, , https://example.com:8443/hook",
    "https://example.com, a=b, https://example.com:443?a=b",
    "https://[::1]/hook, , https://[::1]:443/hook",
    "https://example.com/hook, a=b%20c&d=(e), https://example.com/hook?a=b%20c&d=(e)",
    "https://example.com/hook, a=b+c&d='e', https://example.com/hook?a=b%20c&d='e'",
    "https://example.com/hook, a=b+c, https://example.com:443/hook?a=b%20c",
    "https://example.com/hook, 'a=ü', https://example.com/hook?a=%C3%BC",
    "https://example.com/hook?a=1, a=1&b=2, https://example.com/hook?a=1&b=2"
  })
  void everyFormOfTheUrlIsTried(String configured, @Nullable String query, String signed) {
    Source source = source(configured);
    WebhookRequest request = request(signed + "Ax", "A=x", FORM, query);

    assertThat(accepts(source, request, NOW)).isTrue();
  }

  @Test
  void fieldsAreSortedByNameAndTheirValuesToo() {
    Source source = source("https://example.com/hook");
    String signed = "https://example.com/hook" + "Aa" + "Zb" + "b" + "1" + "b" + "2" + "b" + "3";

    assertThat(accepts(source, request(signed, "b=3&Z=b&b=1&b=3&A=a&b=2", FORM + ";q", null), NOW))
        .isTrue();
  }

  @Test
  void aJsonBodyIsProvenByItsDigestInTheUrl() throws Exception {
    String body = "{\"a\":1}";
    String query = "bodySHA256=" + sha256(body);
    Source source = source("https://example.com/hook");
    String signed = "https://example.com/hook?" + query;

    assertThat(accepts(source, request(signed, body, "application/json", query), NOW)).isTrue();
    assertThat(refusal(source, request(signed, "{\"a\":2}", "application/json", query), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(refusal(source, request(signed, body, "application/json", null), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(
            refusal(
                source,
                request(signed, body, "application/json", "bodySHA256=" + sha256("another")),
                NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void aJsonBodyIsNotReadAsAForm() throws Exception {
    String body = "{\"Body\":\"&MessageSid=SMother&MessageStatus=delivered&\"}";
    String query = "bodySHA256=" + sha256(body);
    Source source = source("https://example.com/hook");
    String signed = "https://example.com/hook?" + query;

    assertThat(accepts(source, request(signed, body, "application/json", query), NOW)).isTrue();
    assertThat(refusal(source, request(signed, body, FORM, query), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void aDigestInTheMiddleOfTheUrlProvesNothing() throws Exception {
    String body = "{\"forged\":true}";
    String query = "x=1AccountSidACBody&bodySHA256=" + sha256(body) + "&From+39";
    Source source = source("https://example.com/hook?x=1");

    assertThat(
            refusal(
                source,
                request("https://example.com/hook?" + query, body, "application/json", query),
                NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void aJsonBodyIsNotTakenForAForm() throws Exception {
    String query = "bodySHA256=" + sha256("{\"a\":1}");
    Source source = source("https://example.com/hook");

    assertThat(refusal(source, request("https://example.com/hook?" + query, "", FORM, query), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void aBodyThatIsNoFormIsProvenByNothing() {
    Source source = source("https://example.com/hook");
    WebhookRequest request =
        request("https://example.com/hook", "{\"a\":1}", "application/json", null);

    assertThat(refusal(source, request, NOW)).isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"A=%zz&Body=believed", "many"})
  void aFormThatCannotBeReadIsProvenByNothing(String body) {
    Source source = source("https://example.com/hook");
    String sent = body.equals("many") ? "A=x&".repeat(5_001) : body;

    assertThat(refusal(source, request("https://example.com/hook", sent, FORM, null), NOW))
        .isEqualTo(Reason.MALFORMED_BODY);
    assertThatThrownBy(() -> SampleWebhook.of(source).body(sent.getBytes(UTF_8)).at(NOW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twilio signs no such request");
  }

  @Test
  void aQueryThatCannotBeReadIsPartOfTheUrlAllTheSame() {
    Source source = source("https://example.com/hook");

    assertThat(refusal(source, request("https://example.com/hookAx", "A=x", FORM, "b=%zz"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  private static Source source(String url) {
    return Source.of("twilio", Providers.twilio()).secret(TOKEN).publicUrl(url).build();
  }

  private static WebhookRequest request(
      String signed, String body, String contentType, @Nullable String query) {
    return Requests.withQuery(
        Requests.post(body, "Content-Type", contentType, "X-Twilio-Signature", signature(signed)),
        query);
  }

  private static String signature(String signed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA1");
      mac.init(new SecretKeySpec(TOKEN.getBytes(UTF_8), "HmacSHA1"));
      return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sha256(String text) throws GeneralSecurityException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
  }
}
