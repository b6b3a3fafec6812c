package dev.mailroom.webhooks.internal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** How bytes are written in headers and secrets. */
public enum Encoding {
  HEX {
    @Override
    byte @Nullable [] decode(String text) {
      try {
        return HexFormat.of().parseHex(text);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }

    @Override
    String encode(byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
  },

  BASE64 {
    @Override
    byte @Nullable [] decode(String text) {
      try {
        return Base64.getDecoder().decode(text);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }

    @Override
    String encode(byte[] bytes) {
      return Base64.getEncoder().encodeToString(bytes);
    }
  },

  /** The bytes are the text's own. */
  TEXT {
    @Override
    byte @Nullable [] decode(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    String encode(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  };

  /** The bytes, or null if the text is not of this kind. */
  abstract byte @Nullable [] decode(String text);

  abstract String encode(byte[] bytes);
}
