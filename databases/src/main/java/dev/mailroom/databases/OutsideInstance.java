package dev.mailroom.databases;

import org.jspecify.annotations.Nullable;

/** A server that somebody else started. */
record OutsideInstance(JdbcUrl url) implements Instance {

  /** The URL that a system property names, or an environment variable; null if neither does. */
  static @Nullable String url(String name) {
    return System.getProperty(name, System.getenv(name));
  }

  @Override
  public boolean isOurs() {
    return false;
  }

  @Override
  public void start() {
    throw notOurs();
  }

  @Override
  public void stopImmediately() {
    throw notOurs();
  }

  private static UnsupportedOperationException notOurs() {
    return new UnsupportedOperationException(
        "The server is not ours to start or stop; ask canBeStopped() first");
  }
}
