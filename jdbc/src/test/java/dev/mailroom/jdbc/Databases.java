package dev.mailroom.jdbc;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;

/** One database of each kind. */
enum Databases {
  POSTGRESQL,
  MARIADB,
  H2,
  SQLITE;

  Database create() {
    return switch (this) {
      case POSTGRESQL ->
          PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
      case MARIADB -> MariaDbServer.shared(Durability.RELAXED).createDatabase();
      case H2 -> H2Memory.create();
      case SQLITE -> SqliteFile.create();
    };
  }
}
