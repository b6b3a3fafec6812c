package dev.mailroom.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret that an endpoint's owner shares, to know our requests by. Never shown: its text form
 * says nothing of it.
 */
public final class SigningSecret {
  private static final String PREFIX = "whsec_";
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] key;

  private SigningSecret(byte[] key) {
    this.key = key;
  }

  /**
   * Reads a secret as the Standard Webhooks specification writes it: {@code whsec_} and 24 to 64
   * bytes in Base64.
   *
   * @throws IllegalArgumentException if it is anything else; the message does not repeat it
   */
  public static SigningSecret parse(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("A signing secret begins with " + PREFIX + ".");
    }
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
    } catch (IllegalArgumentException e) {
      // Without the cause, which quotes the secret.
      throw new IllegalArgumentException(
          "A signing secret is Base64 behind " + PREFIX + ", and this one is not.");
    }
    if (key.length < SHORTEST || key.length > LONGEST) {
      throw new IllegalArgumentException(
          "A signing secret has %d to %d bytes, and this one %d."
              .formatted(SHORTEST, LONGEST, key.length));
    }
    return new SigningSecret(key);
  }

  /** The signature of one request, version {@code v1}. */
  String sign(String id, long timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has " + ALGORITHM, e);
    }
  }

  /** Not the secret. */
  @Override
  public String toString() {
    return "SigningSecret[...]";
  }
}
