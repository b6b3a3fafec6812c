package dev.mailroom.jdbc;

import dev.mailroom.messages.LastError;

/** Texts that come from anywhere, such as errors, on their way into a column. */
final class Texts {
  private Texts() {}

  /** Without the one character that no text column of PostgreSQL takes. */
  static String storable(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }

  static LastError storable(LastError error) {
    return new LastError(
        storable(error.type()), storable(error.message()), storable(error.detail()));
  }
}
