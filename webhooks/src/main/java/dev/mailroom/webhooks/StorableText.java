package dev.mailroom.webhooks;

import dev.mailroom.messages.Limits;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts of any length and any characters, as senders choose them, fit for every store: NUL
 * and halves of surrogate pairs are what databases refuse.
 */
final class StorableText {
  private static final char REPLACEMENT = '\uFFFD';

  private StorableText() {}

  /** The text for display: what cannot be stored is replaced, what is too long is cut. */
  static @Nullable String shown(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    return Limits.cut(isStorable(text) ? text : replaced(text), Limits.KEY_LENGTH);
  }

  /** The text as a key: different texts stay different; one that cannot be a key is hashed. */
  static String key(String prefix, String text) {
    String key = prefix + text;
    return key.length() <= Limits.KEY_LENGTH && isStorable(key)
        ? key
        : prefix + "sha256:" + hash(text.getBytes(StandardCharsets.UTF_16BE));
  }

  /** SHA-256, in hexadecimal. */
  static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java has SHA-256.", impossible);
    }
  }

  private static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '\0') {
        return false;
      }
      if (Character.isSurrogate(letter)) {
        if (!isPair(text, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  private static boolean isPair(String text, int at) {
    return at + 1 < text.length()
        && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
  }

  private static String replaced(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (Character.isSurrogate(letter) && isPair(text, i)) {
        clean.append(letter).append(text.charAt(++i));
      } else {
        clean.append(letter == '\0' || Character.isSurrogate(letter) ? REPLACEMENT : letter);
      }
    }
    return clean.toString();
  }
}
