package dev.mailroom.jdbc;

import dev.mailroom.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Brings the schema to the version that this library knows, and checks that it is there. */
final class Migrations {
  /** The version that this library knows: the number of its last migration. */
  static final int LATEST = 1;

  private static final int TRIES = 50;
  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {schema_version} (
        version INTEGER NOT NULL PRIMARY KEY
      )""";
  private static final String FIND = "SELECT MAX(version) FROM {schema_version}";
  private static final String ADD = "INSERT INTO {schema_version} (version) VALUES (?)";

  private final Transactions transactions;
  private final Dialect dialect;
  private final Schema schema;

  Migrations(Transactions transactions, Dialect dialect, Schema schema) {
    this.transactions = transactions;
    this.dialect = dialect;
    this.schema = schema;
  }

  /** Applies what is missing. Whoever comes second finds nothing to do. */
  void migrate() {
    for (int tries = 1; ; tries++) {
      try {
        migrateOnce();
        return;
      } catch (StoreException e) {
        if (tries == TRIES
            || !(e.getCause() instanceof SQLException cause && dialect.isMigrationRace(cause))) {
          throw e;
        }
      }
    }
  }

  private void migrateOnce() {
    transactions.run(
        "migrate the schema",
        session -> {
          dialect.beforeMigration(session);
          try {
            return apply(session);
          } finally {
            dialect.afterMigration(session);
          }
        });
  }

  /** The version that was there before. */
  private int apply(Session session) throws SQLException {
    Dialect.execute(session.connection, schema.render(CREATE));
    int version = version(session);
    requireNotNewer(version);
    for (int next = version + 1; next <= LATEST; next++) {
      for (String statement : statements(next)) {
        Dialect.execute(session.connection, statement);
      }
      dialect.insertAbsent(session, ADD, next);
    }
    return version;
  }

  /** Names what is missing. */
  void validate() {
    transactions.run(
        "validate the schema",
        session -> {
          TreeSet<String> missing = new TreeSet<>();
          for (String table : Schema.TABLES) {
            if (!exists(session, table)) {
              missing.add(schema.table(table));
            }
          }
          boolean versioned = exists(session, Schema.VERSION_TABLE);
          int version = versioned ? version(session) : 0;
          requireNotNewer(version);
          if (version < LATEST) {
            throw new StoreException(
                "The schema is at version "
                    + version
                    + " and this library needs "
                    + LATEST
                    + ": missing are the migrations from "
                    + (version + 1)
                    + " to "
                    + LATEST
                    + (missing.isEmpty() ? "" : " and the tables " + missing)
                    + ". Call migrate(), or apply what script() prints.");
          }
          if (!missing.isEmpty()) {
            throw new StoreException(
                "The schema says it is at version " + version + ", but lacks " + missing + ".");
          }
          return version;
        });
  }

  /** All migrations, for those who apply them with a tool of their own. */
  String script() {
    StringBuilder script = new StringBuilder(schema.render(CREATE)).append(";\n");
    for (int version = 1; version <= LATEST; version++) {
      script.append('\n').append(schema.render(resource(version))).append('\n');
      script.append(schema.render(ADD).replace("?", Integer.toString(version))).append(";\n");
    }
    return script.toString();
  }

  private static void requireNotNewer(int version) {
    if (version > LATEST) {
      throw new StoreException(
          "The schema is at version "
              + version
              + ", newer than the "
              + LATEST
              + " that this library knows: use a newer Mailroom.");
    }
  }

  private static int version(Session session) throws SQLException {
    Long found = session.call(FIND).first(row -> orZero(MessageRow.number(row, 1)));
    return found == null ? 0 : found.intValue();
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private boolean exists(Session session, String table) throws SQLException {
    DatabaseMetaData data = session.connection.getMetaData();
    String name = schema.table(table).replace("_", data.getSearchStringEscape() + "_");
    String own = schema.name();
    String in = own == null ? session.connection.getSchema() : own;
    String catalog =
        own != null && dialect.schemasAreCatalogs() ? own : session.connection.getCatalog();
    try (ResultSet found = data.getTables(catalog, in, name, null)) {
      return found.next();
    }
  }

  private List<String> statements(int version) {
    List<String> statements = new ArrayList<>();
    for (String statement : withoutComments(resource(version)).split(";\\s*\n", -1)) {
      if (!statement.isBlank()) {
        statements.add(schema.render(statement.strip()));
      }
    }
    return statements;
  }

  private static String withoutComments(String sql) {
    return sql.lines().filter(line -> !line.startsWith("--")).reduce("", (a, b) -> a + b + "\n");
  }

  private String resource(int version) {
    String path = String.format(Locale.ROOT, "%s/%d.sql", dialect.name(), version);
    try (InputStream stream = Migrations.class.getResourceAsStream(path)) {
      if (stream == null) {
        throw new IllegalStateException("The migration " + path + " is not in the jar.");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The migration " + path + " cannot be read.", e);
    }
  }
}
