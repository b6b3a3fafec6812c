package dev.mailroom.outbox;

import dev.mailroom.Contracts;

/** The events of the tests: texts, so that no codec but the raw one is needed. */
final class Events {
  private Events() {}

  static void register(Contracts contracts) {
    contracts.register(String.class, "test.text", 1).register(byte[].class, "test.bytes", 1);
  }
}
