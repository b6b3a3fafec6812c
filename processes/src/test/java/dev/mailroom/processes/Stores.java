package dev.mailroom.processes;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.H2Memory;
import dev.mailroom.databases.MariaDbServer;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcStoreBuilder;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import dev.mailroom.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every store there is. */
enum Stores {
  MEMORY,
  POSTGRESQL,
  POSTGRESQL_13,
  MARIADB,
  H2,
  SQLITE;

  Place open() {
    return new Place(database());
  }

  private @Nullable Database database() {
    return switch (this) {
      case MEMORY -> null;
      case POSTGRESQL ->
          PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
      case POSTGRESQL_13 ->
          PostgresServer.shared(PostgresVersion.V13, Durability.RELAXED).createDatabase();
      case MARIADB -> MariaDbServer.shared(Durability.RELAXED).createDatabase();
      case H2 -> H2Memory.create();
      case SQLITE -> SqliteFile.create();
    };
  }

  /** One database, or none, and the stores on it. */
  static final class Place implements AutoCloseable {
    private final @Nullable Database database;
    private final List<Runnable> closing = new ArrayList<>();

    private Place(@Nullable Database database) {
      this.database = database;
    }

    /** A store that goes by this clock; by that of the database if it is null. */
    Store store(@Nullable TimeSource time) {
      if (database == null) {
        return MemoryStore.builder().time(time == null ? TimeSource.system() : time).build();
      }
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(database.jdbcUrl());
      pool.setMaximumPoolSize(6);
      closing.add(0, pool::close);
      JdbcStoreBuilder builder = JdbcStore.builder(pool).migrateAtStart(true);
      JdbcStore store = (time == null ? builder : builder.time(time)).build();
      closing.add(0, store::close);
      return store;
    }

    @Override
    public void close() {
      closing.forEach(Runnable::run);
      if (database != null) {
        database.close();
      }
    }
  }
}
