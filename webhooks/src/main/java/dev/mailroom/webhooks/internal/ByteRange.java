package dev.mailroom.webhooks.internal;

import java.util.Arrays;

/** A part of a body, not copied. */
final class ByteRange {
  private final byte[] bytes;
  private final int from;
  private final int length;

  private ByteRange(byte[] bytes, int from, int length) {
    this.bytes = bytes;
    this.from = from;
    this.length = length;
  }

  static ByteRange of(byte[] bytes) {
    return new ByteRange(bytes, 0, bytes.length);
  }

  ByteRange part(int start, int end) {
    return new ByteRange(bytes, from + start, end - start);
  }

  /** The whole body's bytes. */
  byte[] bytes() {
    return bytes;
  }

  int from() {
    return from;
  }

  int length() {
    return length;
  }

  /** Its bytes alone: the body's own array if it is all of it. */
  byte[] alone() {
    return length == bytes.length ? bytes : Arrays.copyOfRange(bytes, from, from + length);
  }
}
