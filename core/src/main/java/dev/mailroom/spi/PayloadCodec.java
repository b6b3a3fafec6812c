package dev.mailroom.spi;

import java.lang.reflect.Type;

/**
 * Turns payloads into bytes and back. Safe for use by many threads; bound to no class names: the
 * type to decode comes from the contract, never from the bytes.
 */
public interface PayloadCodec {

  /** The media type of what this codec writes, for example {@code application/json}. */
  String contentType();

  /**
   * Encodes a payload.
   *
   * @param payload an instance of {@code type}
   * @param type the contract's type, generic parameters included
   */
  byte[] encode(Object payload, Type type);

  /**
   * Decodes a payload. Whatever it throws means that the bytes cannot be decoded, and the message
   * is dead-lettered at once.
   */
  Object decode(byte[] bytes, Type type);
}
