package dev.mailroom.webhooks.receiver;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.databases.SqliteFile;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import java.util.ArrayDeque;
import java.util.Deque;

/** The stores that webhooks are tested on. */
enum StoreKind {
  MEMORY,
  SQLITE,
  POSTGRESQL;

  Opened open() {
    return new Opened(this);
  }

  static HikariDataSource pool(String url) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(8);
    return pool;
  }

  /** An empty store, with its database and pool. */
  static final class Opened implements AutoCloseable {
    private final Deque<Runnable> open = new ArrayDeque<>();
    private final Store store;
    private String url = "";

    private Opened(StoreKind kind) {
      if (kind == MEMORY) {
        store = MemoryStore.create();
        return;
      }
      Database database =
          kind == SQLITE
              ? SqliteFile.create()
              : PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
      open.push(database::close);
      url = database.jdbcUrl();
      HikariDataSource pool = pool(url);
      open.push(pool::close);
      JdbcStore made = JdbcStore.builder(pool).migrateAtStart(true).build();
      open.push(made::close);
      store = made;
    }

    Store store() {
      return store;
    }

    String url() {
      return url;
    }

    @Override
    public void close() {
      while (!open.isEmpty()) {
        open.pop().run();
      }
    }
  }
}
