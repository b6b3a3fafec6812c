package dev.mailroom.webhooks;

import dev.mailroom.webhooks.internal.BuiltInProviders;
import dev.mailroom.webhooks.internal.SplitProvider;
import dev.mailroom.webhooks.spi.EventMapper;
import dev.mailroom.webhooks.spi.Provider;
import dev.mailroom.webhooks.spi.RequestVerifier;
import java.util.List;
import java.util.Objects;

/**
 * The built-in providers, and factories for others. The documentation lists what each of them signs
 * and the kind of its secret.
 */
public final class Providers {
  private Providers() {}

  /** Adyen: payments with a signature per item, and other notifications with a signature header. */
  public static Provider adyen() {
    return named("adyen");
  }

  /** Bitbucket Cloud and Data Center. */
  public static Provider bitbucket() {
    return named("bitbucket");
  }

  /** Discord's webhook events; the secret is the application's public key. */
  public static Provider discord() {
    return named("discord");
  }

  /** GitHub. */
  public static Provider github() {
    return named("github");
  }

  /** GitLab, with a signing token. */
  public static Provider gitlab() {
    return named("gitlab");
  }

  /** GitLab with its older secret token, which proves nothing about what is sent. */
  public static Provider gitlabToken() {
    return named("gitlab-token");
  }

  /** HubSpot, version 3 of its signatures; the source needs a public URL. */
  public static Provider hubspot() {
    return named("hubspot");
  }

  /** Intercom. */
  public static Provider intercom() {
    return named("intercom");
  }

  /** Linear. */
  public static Provider linear() {
    return named("linear");
  }

  /** Meta: Facebook, Messenger, Instagram, WhatsApp; the source needs a token for the handshake. */
  public static Provider meta() {
    return named("meta");
  }

  /** Paddle Billing. */
  public static Provider paddle() {
    return named("paddle");
  }

  /** Razorpay. */
  public static Provider razorpay() {
    return named("razorpay");
  }

  /** SendGrid's event webhook; the secret is its public key. */
  public static Provider sendgrid() {
    return named("sendgrid");
  }

  /** Shopify. */
  public static Provider shopify() {
    return named("shopify");
  }

  /** Slack: events, interactions and slash commands. */
  public static Provider slack() {
    return named("slack");
  }

  /** Square; the source needs a public URL. */
  public static Provider square() {
    return named("square");
  }

  /** Every sender that follows the Standard Webhooks specification, with shared or public keys. */
  public static Provider standardWebhooks() {
    return named("standard-webhooks");
  }

  /** Stripe. */
  public static Provider stripe() {
    return named("stripe");
  }

  /** Svix, under its own names for the headers or under the standard's. */
  public static Provider svix() {
    return named("svix");
  }

  /** Twilio: forms and JSON; the source needs a public URL. */
  public static Provider twilio() {
    return named("twilio");
  }

  /** Twitch EventSub. */
  public static Provider twitch() {
    return named("twitch");
  }

  /** Zendesk. */
  public static Provider zendesk() {
    return named("zendesk");
  }

  /** Zoom. */
  public static Provider zoom() {
    return named("zoom");
  }

  /** Starts a provider that signs with a shared secret, for senders that are not built in. */
  public static HmacProviderBuilder hmac(String name) {
    return new HmacProviderBuilder(name);
  }

  /** A provider from a verifier and an event mapper. */
  public static Provider of(String name, RequestVerifier validator, EventMapper mapper) {
    return new SplitProvider(
        Objects.requireNonNull(name, "name"),
        Objects.requireNonNull(validator, "validator"),
        Objects.requireNonNull(mapper, "mapper"));
  }

  /** All that are built in, by name. */
  public static List<Provider> all() {
    return List.copyOf(BuiltInProviders.ALL.values());
  }

  /**
   * One that is built in, by its name in a configuration.
   *
   * @throws IllegalArgumentException if there is none; the message lists the built-in names
   */
  public static Provider named(String name) {
    Provider provider = BuiltInProviders.ALL.get(name);
    if (provider == null) {
      throw new IllegalArgumentException(
          "There is no provider '%s'; there are: %s"
              .formatted(name, String.join(", ", BuiltInProviders.ALL.keySet())));
    }
    return provider;
  }
}
