package dev.mailroom.databases;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/**
 * A SQLite database in a file, with SQLite's and the driver's own defaults: the journal mode and
 * the time to wait for another writer are for the application to set.
 */
public final class SqliteFile implements Database {
  private final Path directory;

  private SqliteFile(Path directory) {
    this.directory = directory;
  }

  /** Creates an empty one. */
  public static SqliteFile create() {
    return new SqliteFile(Workspace.current().newDirectory("sqlite"));
  }

  @Override
  public String jdbcUrl() {
    return "jdbc:sqlite:" + directory.resolve("mailroom.db");
  }

  @Override
  public DataSource dataSource() {
    SQLiteDataSource dataSource = new SQLiteDataSource();
    dataSource.setUrl(jdbcUrl());
    return dataSource;
  }

  @Override
  public void close() {
    Workspace.delete(directory);
  }
}
