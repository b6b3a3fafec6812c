package dev.mailroom.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** What can be known of the pool behind a data source: nothing, unless it is HikariCP's. */
class KnownPool {
  private final DataSource dataSource;

  KnownPool(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** HikariCP is an optional dependency: without it, no data source can be a pool of its kind. */
  static KnownPool of(DataSource dataSource) {
    try {
      return HikariKnownPool.find(dataSource).orElseGet(() -> new KnownPool(dataSource));
    } catch (NoClassDefFoundError absent) {
      return new KnownPool(dataSource);
    }
  }

  /** The most connections that it opens; empty if it does not say. */
  OptionalInt size() {
    return OptionalInt.empty();
  }

  /** Whether one connection can be kept without leaving none. */
  final boolean canSpareOne() {
    return size().orElse(Integer.MAX_VALUE) > 1;
  }

  /** A connection for a long time: beside the pool if that can be, so that it takes none of it. */
  Connection connectBeside() throws SQLException {
    return dataSource.getConnection();
  }
}
