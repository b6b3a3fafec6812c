package dev.mailroom.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mailroom.jdbc.JdbcStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a JDBC store logs when it is built. */
class StoreLogTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(JdbcStore.class);
  @TempDir private Path directory;

  @BeforeEach
  void logs() {
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void logsAsBefore() {
    logger.setLevel(null);
  }

  private void build(int poolSize) {
    JdbcStore.builder("jdbc:sqlite:" + directory.resolve("mailroom.db"), null, null)
        .poolSize(poolSize)
        .migrateAtStart(true)
        .build()
        .close();
  }

  @Test
  void one_line_tells_of_the_migration_and_one_of_the_limit_of_handler_transactions() {
    try (LogLines log = new LogLines()) {
      build(6);

      assertThat(log.with("Created the tables mailroom_*")).hasSize(1);
      assertThat(log.with("handler transaction"))
          .singleElement()
          .asString()
          .contains("sqlite", "at most 1 handler transaction", "a pool of 6 connections");
    }
    try (LogLines log = new LogLines()) {
      build(6);

      assertThat(log.with("there is nothing to migrate")).hasSize(1);
    }
  }
}
