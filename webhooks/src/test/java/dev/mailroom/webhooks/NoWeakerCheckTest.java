package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.add;
import static dev.mailroom.webhooks.Requests.change;
import static dev.mailroom.webhooks.Requests.post;
import static dev.mailroom.webhooks.Requests.refusal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.webhooks.spi.Verification.Reason;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A sender must not choose a weaker check than the one that its source is configured for. */
class NoWeakerCheckTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String FORGED_ITEM =
      """
      {"notificationItems":[{"NotificationRequestItem":{"eventCode":"AUTHORISATION",\
      "pspReference":"forged","success":"true"}}]}""";

  @Test
  void aGitlabTokenIsNothingToASourceWithASigningToken() {
    Source source = Requests.source(Providers.gitlab(), Sender.SHARED);
    WebhookRequest onlyToken = post("{}", "X-Gitlab-Token", Sender.SHARED);

    assertThat(refusal(source, onlyToken, NOW)).isEqualTo(Reason.MISSING_SIGNATURE);
    assertThat(
            refusal(
                source,
                change(
                    add(Sender.of("gitlab").request(NOW), "X-Gitlab-Token", Sender.SHARED),
                    "webhook-signature",
                    good -> "v1,AAAA"),
                NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void aSignedGitlabRequestIsNotTakenByItsToken() {
    Sender token = Sender.of("gitlab-token");

    assertThat(accepts(token.source(), token.request(NOW), NOW)).isTrue();
    assertThat(
            refusal(token.source(), add(token.request(NOW), "webhook-signature", "v1,AAAA"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @Test
  void githubsOlderSignatureIsNothing() {
    WebhookRequest older =
        change(
            add(Sender.of("github").request(NOW), "X-Hub-Signature", "sha1=" + "00".repeat(20)),
            "X-Hub-Signature-256",
            good -> null);

    assertThat(refusal(Sender.of("github").source(), older, NOW))
        .isEqualTo(Reason.MISSING_SIGNATURE);
  }

  @Test
  void theIdOfOneFamilyOfHeadersDoesNotGoWithTheSignatureOfTheOther() {
    Source source = Requests.source(Providers.svix(), Sender.SHARED);
    WebhookRequest standard =
        SampleWebhook.of(Requests.source(Providers.standardWebhooks(), Sender.SHARED)).at(NOW);

    assertThat(accepts(source, standard, NOW)).isTrue();
    assertThat(accepts(source, add(standard, "svix-id", "another"), NOW)).isFalse();
  }

  @Test
  void anAdyenSignatureOfTheBodyOverridesItemSignatures() {
    Sender adyen = Sender.of("adyen");

    assertThat(refusal(adyen.source(), add(adyen.request(NOW), "HmacSignature", "AAAA"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @CsvSource({
    "'1999', '2999', BAD_SIGNATURE",
    "'\"true\"', '\"false\"', BAD_SIGNATURE",
    "'hmacSignature', 'other', MISSING_SIGNATURE",
    "'\"hmacSignature\":\"', '\"hmacSignature\":\"!', MALFORMED_SIGNATURE",
    "'}]}', '},{\"NotificationRequestItem\":{}}]}', MISSING_SIGNATURE",
    "'}]}', '},{}]}', MALFORMED_BODY",
    "'}]}', '},1]}', MALFORMED_BODY",
    "'}]}', '}]} {}', MALFORMED_BODY",
    "'}]}', '}]', MALFORMED_BODY",
    "'\"value\":1999', '\"value\":1999,\"value\":1', MALFORMED_BODY",
    "'\"eventCode\"', '\"amount\":{},\"eventCode\"', MALFORMED_BODY",
    "'{\"live\"', '\uFEFF{\"live\"', MALFORMED_BODY",
    "'notificationItems', 'items', MALFORMED_BODY"
  })
  void whatIsSignedInAnAdyenItemCannotBeChanged(String from, String to, Reason reason) {
    Sender adyen = Sender.of("adyen");
    WebhookRequest request = adyen.request(NOW);
    String body = new String(request.body(), UTF_8);
    int at = body.lastIndexOf(from);
    String changed = body.substring(0, at) + to + body.substring(at + from.length());

    assertThat(at).isNotNegative();
    assertThat(refusal(adyen.source(), post(changed), NOW)).isEqualTo(reason);
  }

  @Test
  void itemsAreNotReadFromAFormInsideOfTheBodyThatWasChecked() {
    Sender adyen = Sender.of("adyen");
    WebhookRequest request = withFormInside(adyen.request(NOW), FORGED_ITEM);

    assertThat(refusal(adyen.source(), request, NOW)).isEqualTo(Reason.MALFORMED_BODY);
    assertThat(adyen.provider().events(request, adyen.source()))
        .extracting(WebhookEvent::id)
        .containsExactly("AUTHORISATION:sample-1:true");
  }

  @ParameterizedTest
  @MethodSource("signersOfBodies")
  void noTextInABodyOfJsonIsAForm(Sender sender) {
    WebhookRequest json = sender.request(NOW);
    WebhookRequest asForm = withFormInside(json, "{\"action\":\"forged\",\"type\":\"forged\"}");

    assertThat(types(sender, asForm)).isEqualTo(types(sender, json));
  }

  static Stream<Sender> signersOfBodies() {
    return Sender.all().filter(sender -> !sender.name().equals("twilio"));
  }

  private static List<@Nullable String> types(Sender sender, WebhookRequest request) {
    return sender.provider().events(request, sender.source()).stream()
        .<@Nullable String>map(WebhookEvent::type)
        .toList();
  }

  /** The same JSON with a text in it that is a field of a form, sent as a form. */
  private static WebhookRequest withFormInside(WebhookRequest request, String forged) {
    String body = new String(request.body(), UTF_8);
    String text = "\"note\":\"&payload=" + URLEncoder.encode(forged, UTF_8) + "&\",";
    String changed = body.replaceFirst("\\{", Matcher.quoteReplacement("{" + text));
    WebhookRequest asForm =
        add(
            change(request, "Content-Type", type -> null),
            "Content-Type",
            "application/x-www-form-urlencoded");
    return Requests.withBody(asForm, changed.getBytes(UTF_8));
  }

  @Test
  void anAdyenBodyWithoutItemsHasNoSignature() {
    assertThat(refusal(Sender.of("adyen").source(), post("{\"notificationItems\":[]}"), NOW))
        .isEqualTo(Reason.MALFORMED_BODY);
  }
}
