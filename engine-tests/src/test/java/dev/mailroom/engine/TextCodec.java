package dev.mailroom.engine;

import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Writes any payload as its text; reads texts, except one. */
final class TextCodec implements PayloadCodec {
  static final String UNREADABLE = "unreadable";

  @Override
  public String contentType() {
    return "text/plain";
  }

  @Override
  public byte[] encode(Object payload, Type type) {
    return payload.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Object decode(byte[] bytes, Type type) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.equals(UNREADABLE)) {
      throw new IllegalArgumentException("not a text");
    }
    return text;
  }
}
