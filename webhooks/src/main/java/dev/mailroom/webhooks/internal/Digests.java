package dev.mailroom.webhooks.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Hashes. */
final class Digests {
  private Digests() {}

  static byte[] sha256(byte[]... pieces) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] piece : pieces) {
        digest.update(piece);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
