package dev.mailroom.webhooks;

import dev.mailroom.webhooks.spi.Provider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sender of every built-in provider, with the headers that belong to its signature and the time
 * for which its requests are valid.
 */
record Sender(
    String name,
    Source source,
    @Nullable PrivateKey key,
    @Nullable String signature,
    @Nullable String time,
    @Nullable String id,
    @Nullable Duration window) {

  private static final Duration USUAL = Duration.ofMinutes(5);
  static final String SECRET = "a secret of the test sender";
  static final String OTHER_SECRET = "another secret";
  static final String SHARED = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  static final String OTHER_SHARED = "whsec_YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODk=";
  static final String HEX_KEY = "9064450A8892A093D9E97EFCC9639DE31B74F3A7803135555A3C96F5A57915D6";
  static final String OTHER_HEX_KEY = "00".repeat(32);

  /** Built once: making keys takes a while. */
  private static final List<Sender> ALL = make();

  static Stream<Sender> all() {
    return ALL.stream();
  }

  static Sender of(String name) {
    return all().filter(sender -> sender.name.equals(name)).findFirst().orElseThrow();
  }

  /** A request that it would send at this time. */
  WebhookRequest request(Instant at) {
    return sample().at(at);
  }

  SampleWebhook sample() {
    SampleWebhook sample = SampleWebhook.of(source);
    return key == null ? sample : sample.signedBy(key);
  }

  Provider provider() {
    return source.provider();
  }

  /** Whether the signature covers the body, byte by byte. */
  boolean provesTheBody() {
    return !name.equals("gitlab-token") && !name.equals("adyen");
  }

  /** A secret of the right form that is not this sender's. */
  String otherSecret() {
    return switch (name) {
      case "adyen" -> OTHER_HEX_KEY;
      case "gitlab", "standard-webhooks", "svix" -> OTHER_SHARED;
      case "standard-webhooks, v1a" -> standardKey(pair("Ed25519").getPublic());
      case "discord" -> HexFormat.of().formatHex(raw(pair("Ed25519").getPublic()));
      case "sendgrid" -> Base64.getEncoder().encodeToString(pair("EC").getPublic().getEncoded());
      default -> OTHER_SECRET;
    };
  }

  @Override
  public String toString() {
    return name;
  }

  private static List<Sender> make() {
    KeyPair ed25519 = pair("Ed25519");
    KeyPair ec = pair("EC");
    String sendgrid = Base64.getEncoder().encodeToString(ec.getPublic().getEncoded());
    String discord = HexFormat.of().formatHex(raw(ed25519.getPublic()));
    return List.of(
        of("adyen", HEX_KEY),
        of("bitbucket", SECRET).signs("X-Hub-Signature"),
        of("discord", discord)
            .signs("X-Signature-Ed25519")
            .times("X-Signature-Timestamp", Duration.ofMinutes(15))
            .by(ed25519.getPrivate()),
        of("github", SECRET).signs("X-Hub-Signature-256"),
        of("gitlab", SHARED)
            .signs("webhook-signature")
            .times("webhook-timestamp", USUAL)
            .identifies("webhook-id"),
        of("gitlab-token", SECRET).signs("X-Gitlab-Token"),
        of("hubspot", SECRET)
            .signs("X-HubSpot-Signature-v3")
            .times("X-HubSpot-Request-Timestamp", USUAL),
        of("intercom", SECRET).signs("X-Hub-Signature"),
        of("linear", SECRET).signs("Linear-Signature").times(null, Duration.ofMinutes(1)),
        of("meta", SECRET).signs("X-Hub-Signature-256"),
        of("paddle", SECRET).signs("Paddle-Signature").times(null, USUAL),
        of("razorpay", SECRET).signs("X-Razorpay-Signature"),
        of("sendgrid", sendgrid)
            .signs("X-Twilio-Email-Event-Webhook-Signature")
            .times("X-Twilio-Email-Event-Webhook-Timestamp", Duration.ofHours(24))
            .by(ec.getPrivate()),
        of("shopify", SECRET).signs("X-Shopify-Hmac-SHA256"),
        of("slack", SECRET).signs("X-Slack-Signature").times("X-Slack-Request-Timestamp", USUAL),
        of("square", SECRET).signs("x-square-hmacsha256-signature"),
        of("standard-webhooks", SHARED)
            .signs("webhook-signature")
            .times("webhook-timestamp", USUAL)
            .identifies("webhook-id"),
        of("standard-webhooks, v1a", standardKey(ed25519.getPublic()))
            .signs("webhook-signature")
            .times("webhook-timestamp", USUAL)
            .identifies("webhook-id")
            .by(ed25519.getPrivate()),
        of("stripe", SECRET).signs("Stripe-Signature").times(null, USUAL),
        of("svix", SHARED)
            .signs("svix-signature")
            .times("svix-timestamp", USUAL)
            .identifies("svix-id"),
        of("twilio", SECRET).signs("X-Twilio-Signature"),
        of("twitch", SECRET)
            .signs("Twitch-Eventsub-Message-Signature")
            .times("Twitch-Eventsub-Message-Timestamp", Duration.ofMinutes(10))
            .identifies("Twitch-Eventsub-Message-Id"),
        of("zendesk", SECRET)
            .signs("X-Zendesk-Webhook-Signature")
            .times("X-Zendesk-Webhook-Signature-Timestamp", USUAL),
        of("zoom", SECRET).signs("x-zm-signature").times("x-zm-request-timestamp", USUAL));
  }

  private static Sender of(String name, String secret) {
    Provider provider = Providers.named(name.replace(", v1a", ""));
    return new Sender(name, Requests.source(provider, secret), null, null, null, null, null);
  }

  private Sender signs(String header) {
    return new Sender(name, source, key, header, time, id, window);
  }

  private Sender times(@Nullable String header, Duration good) {
    return new Sender(name, source, key, signature, header, id, good);
  }

  private Sender identifies(String header) {
    return new Sender(name, source, key, signature, time, header, window);
  }

  private Sender by(PrivateKey own) {
    return new Sender(name, source, own, signature, time, id, window);
  }

  private static KeyPair pair(String kind) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
      if (kind.equals("EC")) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String standardKey(PublicKey key) {
    return "whpk_" + Base64.getEncoder().encodeToString(raw(key));
  }

  private static byte[] raw(PublicKey key) {
    byte[] encoded = key.getEncoded();
    return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
  }
}
