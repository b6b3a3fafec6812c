package dev.mailroom.memory;

import dev.mailroom.messages.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A SHA-256 hash of a message's content: contract name, version and encoded payload. */
final class ContentFingerprint {
  private ContentFingerprint() {}

  static byte[] of(Payload payload) {
    byte[] name = payload.contract().name().getBytes(StandardCharsets.UTF_8);
    MessageDigest digest = sha256();
    digest.update(
        ByteBuffer.allocate(8).putInt(name.length).putInt(payload.contract().version()).array());
    digest.update(name);
    return digest.digest(payload.bytes());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
    }
  }
}
