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

/** Makes a {@link Source}. Not safe for use by many threads. */
public final class SourceBuilder {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern PATH = Pattern.compile("/[\\x21-\\x7e&&[^?#]]*");

  private final String name;
  private final Provider provider;
  private final List<Secret> secrets = new ArrayList<>();
  private @Nullable String path;
  private @Nullable String publicUrl;
  private @Nullable Duration tolerance;
  private @Nullable String tenant;
  private @Nullable String verifyToken;

  SourceBuilder(String name, Provider provider) {
    this.name = Objects.requireNonNull(name, "name");
    this.provider = Objects.requireNonNull(provider, "provider");
  }

  /** Adds a secret as the provider shows it; its label says how many there were before. */
  public SourceBuilder secret(String value) {
    return secret(Secret.of("secret-" + (secrets.size() + 1), value));
  }

  /** Adds a secret that counts until a time: the former one, after it was replaced. */
  public SourceBuilder secret(String value, Instant expiresAt) {
    return secret(Secret.of("secret-" + (secrets.size() + 1), value).expiringAt(expiresAt));
  }

  /** Adds a secret with a label of its own. */
  public SourceBuilder secret(Secret secret) {
    secrets.add(secret);
    return this;
  }

  /** Where requests are received besides the common address, such as {@code /hooks/stripe}. */
  public SourceBuilder path(String value) {
    this.path = value;
    return this;
  }

  /**
   * The URL that the provider was given. Twilio, Square and HubSpot sign it, and it cannot be told
   * from a request that came through a proxy.
   */
  public SourceBuilder publicUrl(String value) {
    this.publicUrl = value;
    return this;
  }

  /** How far a request's time may be from ours, in both directions, instead of the default. */
  public SourceBuilder tolerance(Duration value) {
    this.tolerance = value;
    return this;
  }

  /** Whose events these are, whatever they say themselves. */
  public SourceBuilder tenant(String value) {
    this.tenant = value;
    return this;
  }

  /** What Meta's handshake must know. */
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
    Violations violations = new Violations("Source '" + name + "'");
    violations.check(
        NAME.matcher(name).matches(),
        "name",
        name,
        "must be 1 to 100 letters, digits, dots, dashes and underscores, and begin with one of the"
            + " first two");
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
    provider.check(source, violations);
    violations.raise();
    return source;
  }

  private void checkSecrets(Violations violations) {
    Set<String> labels = new HashSet<>();
    for (Secret secret : secrets) {
      String option = "secret '" + secret.label() + "'";
      violations.check(!secret.label().isBlank(), option, "unnamed", "must have a label");
      violations.check(
          labels.add(secret.label()), option, "there twice", "labels must tell secrets apart");
      if (secret.value().isBlank()) {
        violations.check(false, option, "blank", "must be the secret that the provider shows");
      } else {
        violations.check(
            secret.value().equals(secret.value().strip()),
            option,
            "surrounded by white space",
            "copy it again without");
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
