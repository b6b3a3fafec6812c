package dev.mailroom.databases;

/** The versions of PostgreSQL that can be started: the newest, and the oldest supported one. */
public enum PostgresVersion {
  /** The newest release of PostgreSQL 18 that there are binaries of. */
  V18(18),

  /** The last release of PostgreSQL 13. */
  V13(13);

  private final int major;

  PostgresVersion(int major) {
    this.major = major;
  }

  /** The number in front of the point. */
  public int major() {
    return major;
  }
}
