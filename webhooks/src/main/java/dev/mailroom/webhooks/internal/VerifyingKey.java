package dev.mailroom.webhooks.internal;

import java.util.List;

/** A decoded secret. Thread-safe. */
interface VerifyingKey {
  /** Whether a signature is this key's, over these pieces of content one after the other. */
  boolean acceptsAny(List<byte[]> signatures, byte[][] content);

  /** Which of the signatures in a header are of this key's kind, where they say so. */
  default String version() {
    return "";
  }
}
