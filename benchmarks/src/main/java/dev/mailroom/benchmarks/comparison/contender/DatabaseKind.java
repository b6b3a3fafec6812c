package dev.mailroom.benchmarks.comparison.contender;

/** The databases of the comparison. */
public enum DatabaseKind {
  /** PostgreSQL 18. */
  POSTGRESQL("PostgreSQL"),
  /** MariaDB. */
  MARIADB("MariaDB");

  private final String title;

  DatabaseKind(String title) {
    this.title = title;
  }

  /** Its name in tables. */
  public String title() {
    return title;
  }
}
