package dev.mailroom.server.web;

import dev.mailroom.server.config.SecretText;
import dev.mailroom.server.config.ServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Authorizes API requests. If keys are set, a request needs one. If none is set, only programs on
 * this host have access, and only if the server listens on loopback: a request through a proxy, or
 * one that a browser sends for a web page, looks local and is not.
 */
final class AccessControl {
  static final String LOCAL = "local";

  private static final String BEARER = "Bearer ";

  /** What proxies add to requests that they pass on, in small letters; also X-Forwarded-…. */
  private static final Set<String> PROXY =
      Set.of("forwarded", "via", "x-real-ip", "cf-connecting-ip", "true-client-ip");

  private static final String FORWARDED = "x-forwarded-";

  /** What browsers add to requests that they send for web pages. */
  private static final Set<String> BROWSER = Set.of("origin", "sec-fetch-site");

  private final Map<String, byte[]> keys = new LinkedHashMap<>();
  private final boolean openMetrics;
  private final boolean openToLocal;
  private final WrongKeys wrongKeys;

  AccessControl(ServerOptions.Access access, InetAddress bound, WrongKeys wrongKeys) {
    this.wrongKeys = wrongKeys;
    access.keys().forEach((name, key) -> keys.put(name, digest(key)));
    this.openMetrics = access.openMetrics();
    this.openToLocal = keys.isEmpty() && bound.isLoopbackAddress();
  }

  /**
   * Authorizes a request.
   *
   * @return the name of the key, or why no key was needed
   * @throws ApiException if the request has no access
   */
  String authorize(HttpRoute.Access access, SocketAddress remote, RequestHeaders headers) {
    if (access == HttpRoute.Access.OPEN || (access == HttpRoute.Access.METRICS && openMetrics)) {
      return "anonymous";
    }
    if (openToLocal && isLocal(remote, headers)) {
      return LOCAL;
    }
    if (keys.isEmpty()) {
      throw new ApiException(
          403,
          "closed",
          "The API is closed: no key is configured (api.keys.<name>), and this request is not from"
              + " a program on the server's own host.");
    }
    String given = given(headers);
    String name = holder(given);
    if (given == null) {
      throw new ApiException(
          401, "unauthorized", "Send a key of the API as 'Authorization: Bearer <key>'.");
    }
    if (name == null) {
      throw wrongKeys.refusal(remote);
    }
    return name;
  }

  private static boolean isLocal(SocketAddress remote, RequestHeaders headers) {
    return remote instanceof InetSocketAddress address
        && address.getAddress() != null
        && address.getAddress().isLoopbackAddress()
        && headers.names().stream().noneMatch(AccessControl::isForeign)
        && isLocalHost(headers.first("Host"));
  }

  /** Whether a program that calls the API itself would not send this header. */
  private static boolean isForeign(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return PROXY.contains(name) || name.startsWith(FORWARDED) || BROWSER.contains(name);
  }

  /** Any other name could be a DNS rebinding attack by a web page. */
  private static boolean isLocalHost(@Nullable String host) {
    if (host == null) {
      return true;
    }
    String name = host.replaceFirst(":\\d+$", "");
    return List.of("localhost", "127.0.0.1", "[::1]").contains(name);
  }

  /** The key that came with the request, or null if none did. */
  private static @Nullable String given(RequestHeaders headers) {
    String authorization = headers.first("Authorization");
    // The scheme's name is not case-sensitive.
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : headers.first("X-API-Key");
  }

  /** Compares with all keys in constant time. */
  private @Nullable String holder(@Nullable String given) {
    byte[] digest = digest(given == null ? "" : given);
    String found = null;
    for (Map.Entry<String, byte[]> key : keys.entrySet()) {
      if (MessageDigest.isEqual(key.getValue(), digest)) {
        found = key.getKey();
      }
    }
    return given == null ? null : found;
  }

  private static byte[] digest(SecretText key) {
    return digest(key.reveal());
  }

  /** Digests have equal lengths, so that timing does not reveal the length of a key. */
  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
