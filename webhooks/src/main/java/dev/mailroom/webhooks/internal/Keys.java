package dev.mailroom.webhooks.internal;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * How secrets are turned into keys, as an operator copies them from the provider.
 *
 * <p>Each throws an {@link IllegalArgumentException} that says what is wrong, without the secret.
 */
final class Keys {
  private static final String SHARED = "whsec_";
  private static final String PUBLIC = "whpk_";
  private static final String PRIVATE = "whsk_";
  private static final int GITLAB_LENGTH = 32;

  private Keys() {}

  /** A shared key that is written as it is, or encoded. */
  static Function<String, VerifyingKey> hmac(String algorithm, Encoding encoding) {
    return secret -> new HmacKey(algorithm, bytes(secret, encoding), "");
  }

  /** {@code whsec_} and a shared key, or {@code whpk_} and a public one. */
  static VerifyingKey standardWebhooks(String secret) {
    if (secret.startsWith(PRIVATE)) {
      throw new IllegalArgumentException(
          "it is the sender's private key; give the public one, which begins with " + PUBLIC);
    }
    if (secret.startsWith(PUBLIC)) {
      byte[] raw = bytes(secret.substring(PUBLIC.length()), Encoding.BASE64);
      return AsymmetricKey.ed25519(raw, "v1a");
    }
    String key = secret.startsWith(SHARED) ? secret.substring(SHARED.length()) : secret;
    return new HmacKey("HmacSHA256", bytes(key, Encoding.BASE64), "v1");
  }

  /** {@code whsec_} and a shared key of 32 bytes. */
  static VerifyingKey gitlab(String secret) {
    if (!secret.startsWith(SHARED)) {
      throw new IllegalArgumentException(
          "a signing token begins with "
              + SHARED
              + "; for the older secret token there is the provider 'gitlab-token'");
    }
    byte[] key = bytes(secret.substring(SHARED.length()), Encoding.BASE64);
    if (key.length != GITLAB_LENGTH) {
      throw new IllegalArgumentException(
          "a signing token has 32 bytes, and this one " + key.length);
    }
    return new HmacKey("HmacSHA256", key, "v1");
  }

  /** The 32 bytes of an Ed25519 key, in hexadecimal digits. */
  static VerifyingKey ed25519(String secret) {
    return AsymmetricKey.ed25519(bytes(secret, Encoding.HEX), "");
  }

  /** An elliptic-curve key in the form of X.509, in Base64. */
  static VerifyingKey ecdsa(String secret) {
    return AsymmetricKey.ecdsa(bytes(secret, Encoding.BASE64));
  }

  /** The token itself. */
  static VerifyingKey token(String secret) {
    return new TokenKey(secret);
  }

  private static byte[] bytes(String text, Encoding encoding) {
    if (encoding == Encoding.TEXT) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = encoding.decode(text);
    if (bytes == null) {
      throw new IllegalArgumentException(
          encoding == Encoding.HEX
              ? "it must be an even number of hexadecimal digits"
              : "it must be Base64");
    }
    if (bytes.length == 0) {
      throw new IllegalArgumentException("there is nothing in it");
    }
    return bytes;
  }
}
