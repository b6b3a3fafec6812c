package dev.mailroom.webhooks.internal;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.spi.Verification.Verified;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How providers find out whether an address is ours. */
final class Handshakes {
  private static final JsonPaths SLACK = JsonPaths.of("type", "challenge");
  private static final JsonPaths TWITCH = JsonPaths.of("challenge");
  private static final JsonPaths DISCORD = JsonPaths.of("type", "event.type");
  private static final JsonPaths ZOOM = JsonPaths.of("event", "payload.plainToken");

  private Handshakes() {}

  /** The address is repeated by its challenge; a form can ask whether the certificate is good. */
  static @Nullable WebhookResponse slack(WebhookRequest request, Source source, Verified how) {
    if (Form.isSentBy(request)) {
      boolean check = "1".equals(Form.first(Form.parse(request.body()), "ssl_check"));
      return check ? WebhookResponse.of(200) : null;
    }
    Map<String, String> body = SLACK.read(ByteRange.of(request.body()));
    String challenge = body.get("challenge");
    return "url_verification".equals(body.get("type")) && challenge != null
        ? WebhookResponse.text(200, challenge)
        : null;
  }

  static @Nullable WebhookResponse twitch(WebhookRequest request, Source source, Verified how) {
    String kind = request.headers().first("Twitch-Eventsub-Message-Type");
    if (!"webhook_callback_verification".equals(kind)) {
      return null;
    }
    String challenge = TWITCH.read(ByteRange.of(request.body())).get("challenge");
    return challenge == null ? null : WebhookResponse.text(200, challenge);
  }

  /** An event's ping is 0 and an interaction's is 1, which for events means an event. */
  static @Nullable WebhookResponse discord(WebhookRequest request, Source source, Verified how) {
    Map<String, String> body = DISCORD.read(ByteRange.of(request.body()));
    String type = body.get("type");
    if ("0".equals(type)) {
      return WebhookResponse.of(204);
    }
    return "1".equals(type) && !body.containsKey("event.type")
        ? WebhookResponse.json(200, "{\"type\":1}")
        : null;
  }

  /** The token comes back signed by the secret that the request was signed with. */
  static Handshake zoom(Function<String, VerifyingKey> keys) {
    return (request, source, how) -> {
      Map<String, String> body = ZOOM.read(ByteRange.of(request.body()));
      String token = body.get("payload.plainToken");
      if (!"endpoint.url_validation".equals(body.get("event")) || token == null) {
        return null;
      }
      Signer key = (Signer) source.secret(how.secret()).orElseThrow().key(keys);
      byte[] signed = key.sign(new byte[][] {token.getBytes(StandardCharsets.UTF_8)});
      return WebhookResponse.json(
          200,
          "{\"plainToken\":\"%s\",\"encryptedToken\":\"%s\"}"
              .formatted(
                  new String(JsonStringEncoder.getInstance().quoteAsString(token)),
                  Encoding.HEX.encode(signed)));
    };
  }

  /** A GET with a token that only Meta and the operator know. */
  static @Nullable WebhookResponse meta(WebhookRequest request, Source source) {
    if (!request.method().equals("GET")) {
      return null;
    }
    Form query = Form.parse(request.query() == null ? "" : request.query());
    String challenge = Form.first(query, "hub.challenge");
    boolean known =
        "subscribe".equals(Form.first(query, "hub.mode"))
            && isSame(source.verifyToken(), Form.first(query, "hub.verify_token"));
    return known && challenge != null
        ? WebhookResponse.text(200, challenge)
        : WebhookResponse.of(403);
  }

  private static boolean isSame(@Nullable String expected, @Nullable String actual) {
    return expected != null
        && actual != null
        && MessageDigest.isEqual(digest(expected), digest(actual));
  }

  private static byte[] digest(String text) {
    return Digests.sha256(text.getBytes(StandardCharsets.UTF_8));
  }
}
