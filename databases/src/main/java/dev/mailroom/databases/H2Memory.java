package dev.mailroom.databases;

import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** An H2 database in the memory of this JVM; it stays when its last connection is closed. */
public final class H2Memory implements Database {
  private static final AtomicLong LAST = new AtomicLong();

  private final String jdbcUrl;

  private H2Memory(String jdbcUrl) {
    this.jdbcUrl = jdbcUrl;
  }

  /** Creates an empty one. */
  public static H2Memory create() {
    // Without the delay, H2 would drop the database together with its last connection.
    return new H2Memory("jdbc:h2:mem:mailroom" + LAST.incrementAndGet() + ";DB_CLOSE_DELAY=-1");
  }

  @Override
  public String jdbcUrl() {
    return jdbcUrl;
  }

  @Override
  public DataSource dataSource() {
    return H2.dataSource(jdbcUrl);
  }

  @Override
  public void close() {
    H2.shutDown(jdbcUrl);
  }
}
