package dev.mailroom.webhooks.internal;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A shared key. */
final class HmacKey implements VerifyingKey, Signer {
  /**
   * Never fed with anything, only copied: a copy costs less than looking the algorithm up, and
   * needs no thread of its own.
   */
  private final Mac template;

  private final String version;

  HmacKey(String algorithm, byte[] key, String version) {
    try {
      template = Mac.getInstance(algorithm);
      template.init(new SecretKeySpec(key, algorithm));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java lacks " + algorithm, e);
    }
    this.version = version;
  }

  @Override
  public boolean acceptsAny(List<byte[]> signatures, byte[][] content) {
    byte[] expected = sign(content);
    boolean accepted = false;
    for (byte[] signature : signatures) {
      accepted |= MessageDigest.isEqual(expected, signature);
    }
    return accepted;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public byte[] sign(byte[][] content) {
    try {
      Mac mac = (Mac) template.clone();
      for (byte[] piece : content) {
        mac.update(piece);
      }
      return mac.doFinal();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("This Java's " + template.getAlgorithm() + " is fixed", e);
    }
  }
}
