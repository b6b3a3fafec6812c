package dev.mailroom.server.config;

/** What a setting's value looks like. */
public enum SettingType {
  /** Any text. */
  TEXT("text"),
  /** A whole number. */
  NUMBER("number"),
  /** Bytes: {@code 512}, {@code 16KiB}, {@code 1MiB}. */
  SIZE("size"),
  /** {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h}, {@code 7d}. */
  DURATION("duration"),
  /** {@code true} or {@code false}. */
  FLAG("true or false"),
  /** A moment in ISO 8601: {@code 2026-12-01T00:00:00Z}. */
  TIME("time"),
  /** The secret itself, {@code env:NAME} or {@code file:path}. */
  SECRET("secret"),
  /** Several texts; on one line they are divided by commas. */
  LIST("list"),
  /** Several secrets. */
  SECRETS("list of secrets");

  private final String shown;

  SettingType(String shown) {
    this.shown = shown;
  }

  boolean isList() {
    return this == LIST || this == SECRETS;
  }

  boolean isSecret() {
    return this == SECRET || this == SECRETS;
  }

  @Override
  public String toString() {
    return shown;
  }
}
