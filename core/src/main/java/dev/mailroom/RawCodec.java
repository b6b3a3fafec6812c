package dev.mailroom;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** Stores {@code String} payloads as UTF-8 and {@code byte[]} payloads as they are. */
public final class RawCodec implements PayloadCodec {

  /** The codec; it has no settings. */
  public RawCodec() {}

  @Override
  public String contentType() {
    return "application/octet-stream";
  }

  @Override
  public byte[] encode(Object payload, Type type) {
    if (payload instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    if (payload instanceof byte[] bytes) {
      return bytes;
    }
    throw unsupported(type);
  }

  @Override
  public Object decode(byte[] bytes, Type type) {
    if (type == String.class) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (type == byte[].class) {
      return bytes;
    }
    throw unsupported(type);
  }

  private static MailroomException unsupported(Type type) {
    return new MailroomException(
        "The raw codec stores String and byte[], not "
            + type.getTypeName()
            + ": use a codec such as JacksonCodec for it.");
  }
}
