package dev.mailroom.webhooks;

import static dev.mailroom.webhooks.Requests.accepts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HubSpot signs the URL with some of its characters decoded. */
class HubSpotTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  @ParameterizedTest
  @CsvSource({
    "a=b%3Ac%2fd, a=b:c/d, true",
    "a=b%3Ac%2fd, a=b%3Ac%2fd, true",
    "a=b%20c%, a=b%20c%, true",
    "'a=%40%21%24%27%28%29%2A%2C%3B%3F', 'a=@!$''()*,;?', true",
    "a=b%20c, a=b c, false",
    "a=b, a=c, false"
  })
  void theQueryIsDecodedAsItSays(String sent, String signed, boolean accepted) throws Exception {
    Source source =
        Source.of("crm", Providers.hubspot())
            .secret("secret")
            .publicUrl("https://example.com/hooks")
            .build();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("secret".getBytes(UTF_8), "HmacSHA256"));
    String content = "POSThttps://example.com/hooks?" + signed + "[]1700000000000";
    String signature = Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(UTF_8)));

    assertThat(
            accepts(
                source,
                Requests.withQuery(
                    Requests.post(
                        "[]",
                        "X-HubSpot-Request-Timestamp",
                        "1700000000000",
                        "X-HubSpot-Signature-v3",
                        signature),
                    sent),
                NOW))
        .isEqualTo(accepted);
  }
}
