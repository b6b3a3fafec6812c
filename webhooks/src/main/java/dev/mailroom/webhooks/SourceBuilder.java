package dev.mailroom.webhooks;

import dev.mailroom.errors.Violations;
import dev.mailroom.webhooks.spi.Provider;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds a {@link Source}. Not thread-safe. */
public final class SourceBuilder {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e&&[^?#]]*");

  private final String name;
  private final Provider provider;
  private final List<Secret> secrets = new ArrayList<>();
  private int missingSecrets;
  private @Nullable String path;
  private @Nullable String publicUrl;
  private @Nullable Duration tolerance;
  private @Nullable String tenant;
  private @Nullable String verifyToken;

  SourceBuilder(String name, Provider provider) {
    this.name = Objects.requireNonNull(name, "name");
    this.provider = Objects.requireNonNull(provider, "provider");
  }

  /**
   * Adds a secret as the provider shows it; its label is {@code secret-1}, {@code secret-2} and so
   * on. {@link #build} refuses null, which a missing environment variable leaves.
   */
  public SourceBuilder secret(@Nullable String value) {
    if (value == null) {
      missingSecrets++;
      return this;
    }
    return secret(Secret.of(nextLabel(), value));
  }

  /** Adds a secret that is valid until a time: the previous one, after a rotation. */
  public SourceBuilder secret(@Nullable String value, Instant expiresAt) {
    if (value == null) {
      missingSecrets++;
      return this;
    }
    return secret(Secret.of(nextLabel(), value).expiringAt(expiresAt));
  }

  /** Adds a secret with a label of its own. */
  public SourceBuilder secret(Secret secret) {
    secrets.add(Objects.requireNonNull(secret, "secret"));
    return this;
  }

  private String nextLabel() {
    return "secret-" + (secrets.size() + 1);
  }

  /** A second path at which requests are received, such as {@code /hooks/stripe}. */
  public SourceBuilder path(String value) {
    this.path = value;
    return this;
  }

  /**
   * The URL that is configured at the provider. Twilio, Square and HubSpot sign it, and a request
   * that came through a proxy does not contain it.
   */
  public SourceBuilder publicUrl(String value) {
    this.publicUrl = value;
    return this;
  }

  /** The maximum clock difference, in both directions. Default: the provider's. */
  public SourceBuilder tolerance(Duration value) {
    this.tolerance = value;
    return this;
  }

  /** The tenant of all events. Default: the tenant that an event names, if any. */
  public SourceBuilder tenant(String value) {
    this.tenant = value;
    return this;
  }

  /** The token that Meta's handshake must contain. */
  public SourceBuilder verifyToken(String value) {
    this.verifyToken = value;
    return this;
  }

  /**
   * The source.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming everything that is wrong, without a
   *     secret
   */
  public Source build() {
    Violations violations = new Violations("Webhook source '" + name + "'");
    violations.check(
        NAME.matcher(name).matches(),
        "name",
        name,
        "must be 1 to 100 letters, digits, dots, dashes and underscores, and begin with a letter or"
            + " digit");
    checkSecrets(violations);
    violations.check(
        path == null || PATH.matcher(path).matches(),
        "path",
        path,
        "must begin with '/' and have no query, spaces or other characters that a URL encodes");
    violations.check(
        publicUrl == null || isAbsolute(publicUrl),
        "publicUrl",
        publicUrl,
        "must be a whole URL that begins with http:// or https://, without a fragment");
    violations.positiveOrNull("tolerance", tolerance);
    violations.check(
        tenant == null || !tenant.isBlank(), "tenant", tenant, "must not be blank; leave it out");
    violations.check(
        verifyToken == null || !verifyToken.isBlank(),
        "verifyToken",
        "blank",
        "must be the token that the provider was given");
    Source source =
        new Source(name, provider, secrets, path, publicUrl, tolerance, tenant, verifyToken);
    if (missingSecrets == 0) {
      provider.check(source, violations); // which would report the missing secrets once more
    }
    violations.raise();
    return source;
  }

  private void checkSecrets(Violations violations) {
    violations.check(
        missingSecrets == 0,
        "The secret of webhook source '" + name + "'",
        null,
        "set it to the signing secret that the provider shows; if it comes from an environment"
            + " variable or a property, that one is not set");
    Set<String> labels = new HashSet<>();
    for (Secret secret : secrets) {
      String option = "secret '" + secret.label() + "'";
      violations.check(!secret.label().isBlank(), option, "blank", "must have a label");
      violations.check(
          labels.add(secret.label()),
          option,
          "not unique",
          "each secret must have a label of its own");
      if (secret.value().isBlank()) {
        violations.check(
            false,
            "The secret of webhook source '" + name + "'",
            "blank",
            "set '" + secret.label() + "' to the signing secret that the provider shows");
      } else {
        violations.check(
            secret.value().equals(secret.value().strip()),
            option,
            "surrounded by white space",
            "remove the white space");
      }
    }
  }

  private static boolean isAbsolute(String url) {
    try {
      URI uri = new URI(url);
      String scheme = String.valueOf(uri.getScheme());
      return (scheme.equalsIgnoreCase("https") || scheme.equalsIgnoreCase("http"))
          && uri.getHost() != null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
