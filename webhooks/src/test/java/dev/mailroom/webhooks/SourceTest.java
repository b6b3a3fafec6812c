package dev.mailroom.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.InvalidOptionsException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SourceTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  @Test
  void everyViolationIsReportedAtOnce() {
    SourceBuilder builder =
        Source.of("no name/at all", Providers.square())
            .secret(" ")
            .secret(Secret.of("same", "one"))
            .secret(Secret.of("same", "two "))
            .path("no slash")
            .tolerance(Duration.ZERO)
            .tenant("")
            .verifyToken("");

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            InvalidOptionsException.class,
            error ->
                assertThat(error.violations())
                    .extracting(violation -> violation.split(" is ", 2)[0])
                    .containsExactly(
                        "name",
                        "The secret of webhook source 'no name/at all'",
                        "secret 'same'",
                        "secret 'same'",
                        "path",
                        "tolerance",
                        "tenant",
                        "verifyToken",
                        "publicUrl"));
  }

  @Test
  void aMissingSecretNamesItsSource() {
    SourceBuilder missing =
        Source.of("stripe", Providers.stripe()).secret(System.getenv("MAILROOM_NOT_SET"));
    SourceBuilder rotated =
        Source.of("stripe", Providers.stripe()).secret("whsec_new").secret(null, NOW);
    SourceBuilder blank = Source.of("stripe", Providers.stripe()).secret("\t");

    for (SourceBuilder builder : List.of(missing, rotated)) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("The secret of webhook source 'stripe' is null: set it")
          .hasMessageNotContaining("whsec_new");
    }
    assertThatThrownBy(blank::build)
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("The secret of webhook source 'stripe' is blank: set");
  }

  @Test
  void noErrorShowsASecret() {
    assertThatThrownBy(
            () -> Source.of("a", Providers.stripe()).secret(" a hidden secret ").path("x").build())
        .hasMessageContaining("surrounded by white space")
        .hasMessageNotContaining("a hidden secret");
  }

  @Test
  void theKeyOfAnEventIsMadeOfTheSourceAndTheIdAndFitsEveryStore() {
    Source source = Source.of("hub", Providers.github()).secret("s").build();

    assertThat(source.deduplicationKey("evt_1")).isEqualTo("hub:evt_1");
    assertThat(source.deduplicationKey("x".repeat(300))).startsWith("hub:sha256:").hasSize(75);
    assertThatThrownBy(() -> source.deduplicationKey(" "))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPublicUrlIsAWholeOne() {
    for (String url :
        new String[] {"/hooks", "example.com/hooks", "ftp://example.com", "https:///x"}) {
      assertThatThrownBy(
              () -> Source.of("a", Providers.square()).secret("s").publicUrl(url).build())
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining("publicUrl is " + url);
    }
  }

  @Test
  void noTextFormShowsASecret() {
    Source source =
        Source.of("a", Providers.meta()).secret("a hidden secret").verifyToken("nor this").build();

    assertThat(source.toString() + source.secrets())
        .contains("secret-1")
        .doesNotContain("a hidden secret")
        .doesNotContain("nor this");
  }

  @Test
  void aSecretExpires() {
    Secret secret = Secret.of("old", "value").expiringAt(NOW);

    assertThat(secret.isLive(NOW.minusMillis(1))).isTrue();
    assertThat(secret.isLive(NOW)).isFalse();
  }

  @Test
  void aKeyIsDecodedOnce() {
    Secret secret = Secret.of("a", "value");
    Function<String, Object> decoder = text -> new Object();

    assertThat(secret.key(decoder)).isSameAs(secret.key(decoder));
    assertThat(secret.<Integer>key(String::length)).isEqualTo(5);
  }

  @Test
  void headersAreFoundInAnyCase() {
    Headers headers = Headers.builder().add("X-One", "1").add("x-one", "2").add("Two", "3").build();

    assertThat(headers.first("X-ONE")).isEqualTo("1");
    assertThat(headers.all("x-One")).containsExactly("1", "2");
    assertThat(headers.all("three")).isEmpty();
    assertThat(headers.names()).containsExactly("Two", "X-One");
  }

  /** The Kelvin sign becomes a K under Unicode case folding. */
  @Test
  void noOtherLetterPassesForOneOfAscii() {
    assertThat(Headers.builder().add("\u212Aey", "1").build().first("Key")).isNull();
  }

  @Test
  void headersAreLimited() {
    Headers.Builder many = Headers.builder();
    for (int i = 0; i < Headers.MAXIMUM_COUNT; i++) {
      many.add("a", "b");
    }
    assertThat(many.tooLarge()).isFalse();
    assertThat(many.add("a", "b").tooLarge()).isTrue();
    assertThatThrownBy(many::build).isInstanceOf(IllegalStateException.class);
    assertThat(Headers.builder().add("a", "b".repeat(Headers.MAXIMUM_LENGTH)).tooLarge()).isTrue();
  }

  @Test
  void theErrorForAnUnknownProviderListsTheBuiltInOnes() {
    assertThatThrownBy(() -> Providers.named("Stripe"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Stripe'")
        .hasMessageContaining("adyen, bitbucket,");
  }
}
