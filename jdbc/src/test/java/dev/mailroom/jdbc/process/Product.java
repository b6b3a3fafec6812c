package dev.mailroom.jdbc.process;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;

/** A kind of database that the store runs on, and how an application would connect to it. */
enum Product {
  POSTGRES,
  MARIADB,
  H2,
  SQLITE;

  /** An empty database. */
  Database create() {
    return switch (this) {
      case POSTGRES ->
          PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
      case MARIADB -> MariaDbServer.shared(Durability.RELAXED).createDatabase();
      case H2 -> H2Memory.create();
      case SQLITE -> SqliteFile.create();
    };
  }

  /** The type of a key that counts by itself. */
  String counter() {
    return switch (this) {
      case POSTGRES, H2 -> "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
      case MARIADB -> "BIGINT AUTO_INCREMENT PRIMARY KEY";
      case SQLITE -> "INTEGER PRIMARY KEY AUTOINCREMENT";
    };
  }

  /** An id as text, of which case and hyphens are of no account. */
  String hexadecimal(String column) {
    return this == MARIADB ? "HEX(" + column + ")" : "CAST(" + column + " AS VARCHAR(36))";
  }

  /**
   * Whether others may have to wait for an open transaction. A simulation is one thread, on which
   * that would be for ever, so it is offered none. On SQLite such a transaction is the only writer;
   * InnoDB and H2 make a statement wait for rows of others that it only looks at.
   */
  boolean holdsOthersUp() {
    return this != POSTGRES;
  }

  /** Makes a statement fail that waits for another transaction for five seconds. */
  String patience() {
    return switch (this) {
      case POSTGRES -> "SET lock_timeout = '5s'";
      case MARIADB -> "SET innodb_lock_wait_timeout = 5";
      case H2 -> "SET LOCK_TIMEOUT 5000";
      case SQLITE -> "PRAGMA busy_timeout = 5000";
    };
  }

  /** The URL with what an application sets for more than one process. */
  String url(Database database) {
    // With the default journal every writer keeps all readers out, and waits for the disk twice.
    return this == SQLITE
        ? database.jdbcUrl() + "?journal_mode=WAL&synchronous=NORMAL&busy_timeout=10000"
        : database.jdbcUrl();
  }
}
