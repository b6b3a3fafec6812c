package dev.mailroom.spi;

import java.lang.reflect.Type;

/**
 * Turns payloads into bytes and back. Thread-safe; bound to no class names: the type to decode
 * comes from the contract, never from the bytes.
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
   * Decodes a payload. Any exception means that the bytes cannot be decoded: the message is
   * dead-lettered at once.
   */
  Object decode(byte[] bytes, Type type);

  /**
   * Checks that payloads of this type can be decoded, so that a type that could only be encoded is
   * refused before the first message is stored. A mailroom asks when it is built, for the types of
   * its handlers and of the contracts that were registered; of several codecs, one that accepts the
   * type is enough. The default accepts every type.
   *
   * @throws RuntimeException if payloads of this type cannot be decoded, with what to do about it
   */
  default void check(Type type) {}
}
