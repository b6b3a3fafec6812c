package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static dev.mailroom.webhooks.Requests.change;
import static dev.mailroom.webhooks.Requests.refusal;
import static dev.mailroom.webhooks.Requests.withBody;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.webhooks.spi.Verification.Reason;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every provider refuses, shown by what its own sample becomes when it is changed. */
class RefusedRequestsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  static Stream<Sender> senders() {
    return Sender.all();
  }

  static Stream<Sender> withHeader() {
    return Sender.all().filter(sender -> sender.signature() != null);
  }

  static Stream<Sender> withTime() {
    return Sender.all().filter(sender -> sender.window() != null);
  }

  static Stream<Sender> withTimeHeader() {
    return Sender.all().filter(sender -> sender.time() != null);
  }

  static Stream<Sender> withId() {
    return Sender.all().filter(sender -> sender.id() != null);
  }

  static Stream<Sender> provingTheBody() {
    return Sender.all().filter(Sender::provesTheBody);
  }

  @Test
  void everyBuiltInProviderIsTested() {
    assertThat(Providers.all())
        .allMatch(provider -> senders().anyMatch(sender -> sender.provider() == provider));
  }

  @ParameterizedTest
  @MethodSource("senders")
  void theSampleIsAccepted(Sender sender) {
    assertThat(sender.provider().verify(sender.request(NOW), sender.source(), NOW))
        .isEqualTo(new Verified("secret-1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"github", "discord", "sendgrid", "twilio"})
  void aKeyIsThreadSafe(String name) {
    Sender sender = Sender.of(name);
    List<WebhookRequest> requests =
        IntStream.range(0, 200)
            .mapToObj(number -> sender.sample().id("event-" + number).at(NOW))
            .toList();

    assertThat(requests.parallelStream().filter(one -> accepts(sender.source(), one, NOW)))
        .hasSize(200);
  }

  @ParameterizedTest
  @MethodSource("senders")
  void aRequestSignedWithAnotherSecretIsRefused(Sender sender) {
    Source other = Requests.source(sender.provider(), sender.otherSecret());

    assertThat(refusal(other, sender.request(NOW), NOW)).isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("senders")
  void theSecondOfTwoSecretsIsAsGoodAsTheFirst(Sender sender) {
    String own = sender.source().secrets().get(0).value();
    Source both =
        Source.of("test", sender.provider())
            .publicUrl("https://example.com/webhooks/test")
            .secret(Secret.of("new", sender.otherSecret()))
            .secret(Secret.of("old", own).expiringAt(NOW.plusSeconds(1)))
            .build();

    assertThat(sender.provider().verify(sender.request(NOW), both, NOW))
        .isEqualTo(new Verified("old"));
  }

  @ParameterizedTest
  @MethodSource("senders")
  void anExpiredSecretIsRefused(Sender sender) {
    Source source = sender.source();
    Source expired =
        Source.of("test", sender.provider())
            .publicUrl("https://example.com/webhooks/test")
            .secret(source.secrets().get(0).expiringAt(NOW))
            .build();

    assertThat(refusal(expired, sender.request(NOW), NOW)).isEqualTo(Reason.NO_LIVE_SECRET);
  }

  @ParameterizedTest
  @MethodSource("senders")
  void aBlankSecretCannotBeConfigured(Sender sender) {
    for (String secret : new String[] {"", " ", "\t\n"}) {
      assertThatThrownBy(() -> Requests.source(sender.provider(), secret))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("The secret of webhook source 'test' is blank");
    }
  }

  @ParameterizedTest
  @MethodSource("senders")
  void aSecretWithWhiteSpaceAroundItCannotBeConfigured(Sender sender) {
    String own = sender.source().secrets().get(0).value();

    assertThatThrownBy(() -> Requests.source(sender.provider(), own + "\n"))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("white space")
        .hasMessageNotContaining(own);
  }

  @ParameterizedTest
  @MethodSource("senders")
  void noSecretCannotBeConfigured(Sender sender) {
    assertThatThrownBy(() -> Requests.source(sender.provider()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("there must be at least one");
  }

  @ParameterizedTest
  @MethodSource("withHeader")
  void withoutASignatureItIsRefused(Sender sender) {
    WebhookRequest bare = change(sender.request(NOW), signature(sender), value -> null);

    assertThat(refusal(sender.source(), bare, NOW)).isEqualTo(Reason.MISSING_SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("withHeader")
  void aSignatureThatIsThereTwiceIsRefused(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    String own = request.headers().all(signature(sender)).get(0);

    assertThat(refusal(sender.source(), Requests.add(request, signature(sender), own), NOW))
        .isEqualTo(malformed(sender, Reason.MALFORMED_SIGNATURE));
  }

  @ParameterizedTest
  @MethodSource("withHeader")
  void everyTruncatedSignatureIsRefused(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    int length = request.headers().all(signature(sender)).get(0).length();
    // Without its padding, Base64 says the same.
    int shortest = request.headers().all(signature(sender)).get(0).replace("=", "").length();
    for (int i = 0; i < Math.min(length, shortest); i++) {
      int end = i;
      assertThat(
              accepts(
                  sender.source(),
                  change(request, signature(sender), value -> value.substring(0, end)),
                  NOW))
          .as("the first %s characters", end)
          .isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("withHeader")
  void aSignatureThatIsNoneIsRefused(Sender sender) {
    for (String none : new String[] {"", " ", "=", ",", "v1,", "t=,v1=", "\u0000", "♥", "x=y=z"}) {
      assertThat(
              accepts(
                  sender.source(), change(sender.request(NOW), signature(sender), v -> none), NOW))
          .as("'%s'", none)
          .isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("provingTheBody")
  void everyChangedByteIsNoticed(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    for (int i = 0; i < request.body().length; i++) {
      byte[] body = request.body().clone();
      body[i] ^= 1;
      assertThat(accepts(sender.source(), withBody(request, body), NOW)).as("byte %s", i).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("provingTheBody")
  void whiteSpaceIsNoticed(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    String body = new String(request.body(), UTF_8);

    assertThat(refusal(sender.source(), withBody(request, (body + " ").getBytes(UTF_8)), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(refusal(sender.source(), withBody(request, (" " + body).getBytes(UTF_8)), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("provingTheBody")
  void jsonThatWasReadAndWrittenAgainIsNoticed(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    String written = new String(request.body(), UTF_8).replace(":", ": ").replace("=", "%3D");

    assertThat(refusal(sender.source(), withBody(request, written.getBytes(UTF_8)), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("provingTheBody")
  void aTruncatedBodyIsNoticed(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    byte[] half = Arrays.copyOf(request.body(), request.body().length / 2);

    assertThat(accepts(sender.source(), withBody(request, half), NOW)).isFalse();
    assertThat(accepts(sender.source(), withBody(request, new byte[0]), NOW)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("withTime")
  void aRequestIsGoodForItsWindowAndNoSecondLonger(Sender sender) {
    Duration window = Objects.requireNonNull(sender.window());
    WebhookRequest request = sender.request(NOW);

    assertThat(accepts(sender.source(), request, NOW.plus(window))).isTrue();
    assertThat(accepts(sender.source(), request, NOW.minus(window))).isTrue();
    assertThat(refusal(sender.source(), request, NOW.plus(window).plusSeconds(1)))
        .isEqualTo(Reason.TOO_OLD);
    assertThat(refusal(sender.source(), request, NOW.minus(window).minusSeconds(1)))
        .isEqualTo(Reason.IN_THE_FUTURE);
  }

  @ParameterizedTest
  @MethodSource("withTime")
  void aSourceCanSayHowLongARequestIsGood(Sender sender) {
    Source strict =
        Source.of("test", sender.provider())
            .publicUrl("https://example.com/webhooks/test")
            .secret(sender.source().secrets().get(0))
            .tolerance(Duration.ofSeconds(10))
            .build();

    assertThat(accepts(strict, sender.request(NOW), NOW.plusSeconds(10))).isTrue();
    assertThat(refusal(strict, sender.request(NOW), NOW.plusSeconds(11))).isEqualTo(Reason.TOO_OLD);
  }

  @ParameterizedTest
  @MethodSource("withTimeHeader")
  void withoutATimeItIsRefused(Sender sender) {
    WebhookRequest timeless = change(sender.request(NOW), time(sender), value -> null);

    assertThat(refusal(sender.source(), timeless, NOW))
        .isEqualTo(malformed(sender, Reason.MISSING_TIMESTAMP));
  }

  @ParameterizedTest
  @MethodSource("withTimeHeader")
  void aTimeThatIsNoneIsRefused(Sender sender) {
    for (String none :
        new String[] {
          "", "yesterday", "-1", "+1700000000", "1e9", "17000000000000000000", "١٧٠٠"
        }) {
      assertThat(
              refusal(sender.source(), change(sender.request(NOW), time(sender), v -> none), NOW))
          .as("'%s'", none)
          .isEqualTo(malformed(sender, Reason.MALFORMED_TIMESTAMP));
    }
  }

  @ParameterizedTest
  @MethodSource("withTimeHeader")
  void aTimeThatIsThereTwiceIsRefused(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    String own = request.headers().all(time(sender)).get(0);

    assertThat(refusal(sender.source(), Requests.add(request, time(sender), own), NOW))
        .isEqualTo(malformed(sender, Reason.MALFORMED_TIMESTAMP));
  }

  @ParameterizedTest
  @MethodSource("withTimeHeader")
  void anotherTimeIsNoticed(Sender sender) {
    WebhookRequest request = sender.request(NOW);
    String later = sender.request(NOW.plusSeconds(1)).headers().all(time(sender)).get(0);

    assertThat(refusal(sender.source(), change(request, time(sender), value -> later), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @MethodSource("withId")
  void theIdIsSignedToo(Sender sender) {
    String id = Objects.requireNonNull(sender.id());
    WebhookRequest request = sender.request(NOW);

    assertThat(refusal(sender.source(), change(request, id, value -> null), NOW))
        .isEqualTo(Reason.MISSING_ID);
    assertThat(refusal(sender.source(), change(request, id, value -> " "), NOW))
        .isEqualTo(Reason.MISSING_ID);
    assertThat(refusal(sender.source(), change(request, id, value -> value + ".1"), NOW))
        .isEqualTo(Reason.MALFORMED_ID);
    assertThat(refusal(sender.source(), Requests.add(request, id, "another"), NOW))
        .isEqualTo(Reason.MALFORMED_ID);
    assertThat(refusal(sender.source(), change(request, id, value -> value + "1"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"square", "twilio", "hubspot"})
  void theUrlIsSignedToo(String name) {
    Sender sender = Sender.of(name);
    Source elsewhere =
        Source.of("test", sender.provider())
            .publicUrl("https://example.org/webhooks/test")
            .secret(sender.source().secrets().get(0))
            .build();

    assertThat(refusal(elsewhere, sender.request(NOW), NOW)).isEqualTo(Reason.BAD_SIGNATURE);
    assertThat(refusal(sender.source(), Requests.withQuery(sender.request(NOW), "added=1"), NOW))
        .isEqualTo(Reason.BAD_SIGNATURE);
    assertThatThrownBy(() -> Source.of("test", sender.provider()).secret(Sender.SECRET).build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("publicUrl is missing");
  }

  private static String signature(Sender sender) {
    return Objects.requireNonNull(sender.signature());
  }

  private static String time(Sender sender) {
    return Objects.requireNonNull(sender.time());
  }

  /** Discord expects 401 for every failed verification. */
  private static Reason malformed(Sender sender, Reason usual) {
    return sender.name().equals("discord") ? Reason.BAD_SIGNATURE : usual;
  }
}
