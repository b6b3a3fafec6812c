package dev.mailroom.databases;

/** A server that somebody else started. */
record OutsideInstance(JdbcUrl url) implements Instance {

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
