package dev.mailroom.http;

import dev.mailroom.errors.Violations;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/**
 * Where events are posted to.
 *
 * @param url absolute, {@code https} or {@code http}
 * @param secrets what requests are signed with, at least one. With several, each request carries
 *     one signature for each: so a secret is replaced by adding the new one, letting the receiver
 *     change over, and taking the old one away
 */
public record Endpoint(URI url, List<SigningSecret> secrets) {
  private static final int HIGHEST_PORT = 65_535;

  /**
   * Checks what it is made of.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Endpoint {
    secrets = List.copyOf(secrets);
    Violations violations = new Violations("Endpoint " + shown(url));
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    violations.check(
        scheme.equals("https") || scheme.equals("http"), "scheme", scheme, "use https, or http");
    checkHost(url, violations);
    violations.check(
        url.getRawUserInfo() == null, "user info", "there", "does not belong in a URL; sign");
    violations.check(url.getRawFragment() == null, "fragment", "there", "is never sent");
    violations.check(!secrets.isEmpty(), "secrets", "[]", "give at least one to sign with");
    violations.raise();
  }

  /** A host that is no name of DNS is none to java.net.URI, which then has an authority only. */
  private static void checkHost(URI url, Violations violations) {
    String authority = url.getRawAuthority();
    if (url.getHost() == null && authority != null) {
      String host = authority.replaceFirst("^.*@", "");
      violations.check(
          false,
          "host",
          host,
          host.replaceFirst(":[^:]*$", "").contains("_")
              ? "must have no '_', which no host name may have: give the host another name, or its"
                  + " IP address"
              : "must be a host name or an IP address, with a port from 1 to 65535 behind ':' if"
                  + " any");
      return;
    }
    violations.check(url.getHost() != null, "host", url.getHost(), "must be there");
    int port = url.getPort();
    violations.check(
        port == -1 || (port > 0 && port <= HIGHEST_PORT), "port", port, "must be from 1 to 65535");
  }

  /** With the secrets as the specification writes them: see {@link SigningSecret#parse}. */
  public static Endpoint of(String url, String... secrets) {
    return new Endpoint(
        URI.create(url), List.of(secrets).stream().map(SigningSecret::parse).toList());
  }

  /** Where it is, without the query, which may hold a token. */
  @Override
  public String toString() {
    return shown(url);
  }

  private static String shown(URI url) {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    String authority = url.getRawAuthority() == null ? "" : url.getRawAuthority();
    return url.getScheme() + "://" + authority.replaceFirst("^.*@", "") + path;
  }
}
