package dev.mailroom.databases;

import java.nio.file.Path;
import javax.sql.DataSource;

/**
 * An H2 database in a file, opened by this JVM alone. H2 writes a commit to the file up to half a
 * second later (its setting WRITE_DELAY), which a store that promises durability has to know.
 */
public final class H2File implements Database {
  private final Path directory;

  private H2File(Path directory) {
    this.directory = directory;
  }

  /** Creates an empty one. */
  public static H2File create() {
    return new H2File(Workspace.current().newDirectory("h2"));
  }

  /** Opens the same file anew: all connections are broken, what was committed is read again. */
  public void reopen() {
    H2.shutDown(jdbcUrl());
  }

  @Override
  public String jdbcUrl() {
    // The delay keeps it open between connections; a hook of H2's own would race with the deletion.
    return "jdbc:h2:file:"
        + directory.resolve("mailroom")
        + ";DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE";
  }

  @Override
  public DataSource dataSource() {
    return H2.dataSource(jdbcUrl());
  }

  @Override
  public void close() {
    H2.shutDown(jdbcUrl());
    Workspace.delete(directory);
  }
}
