package dev.mailroom.jdbc;

import dev.mailroom.errors.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables to the version that this library knows, and checks that they are there. Every
 * set of tables has a version of its own.
 */
final class Migrations {
  /** The version that this library knows: the number of its last migration. */
  static final int LATEST = 1;

  private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);
  private static final int TRIES = 50;
  private static final String FIND = "SELECT MAX(version) FROM {schema_version}";

  private final Transactions transactions;
  private final Dialect dialect;
  private final Schema main;

  Migrations(Transactions transactions, Dialect dialect, Schema main) {
    this.transactions = transactions;
    this.dialect = dialect;
    this.main = main;
  }

  /** Applies what is missing, in all sets. Whoever comes second finds nothing to do. */
  void migrate() {
    sets().values().forEach(this::migrate);
  }

  /** Applies what is missing in the set that a channel has to itself. */
  void migrate(String channel) {
    migrate(setOf(channel));
  }

  private void migrate(Schema schema) {
    for (int tries = 1; ; tries++) {
      try {
        LOG.info("{}", report(schema, migrateOnce(schema)));
        return;
      } catch (StoreException e) {
        if (tries == TRIES
            || !(e.getCause() instanceof SQLException cause && dialect.isMigrationRace(cause))) {
          throw e;
        }
      }
    }
  }

  /** The version that was there before. */
  private int migrateOnce(Schema schema) {
    return transactions.run(
        "migrate the schema",
        any -> {
          Session session = any.on(schema);
          try {
            dialect.beforeMigration(session);
            return apply(session);
          } finally {
            dialect.afterMigration(session);
          }
        });
  }

  /** For the log: what a migration did. */
  static String report(Schema schema, int before) {
    String tables = "the tables " + schema.table("*");
    if (before == 0) {
      return "Created " + tables + " at version " + LATEST + ".";
    }
    return before == LATEST
        ? "Found " + tables + " at version " + LATEST + ": there is nothing to migrate."
        : "Migrated " + tables + " from version " + before + " to " + LATEST + ".";
  }

  private int apply(Session session) throws SQLException {
    Dialect.execute(session.connection, MigrationScript.versions(session.schema));
    int version = version(session);
    if (version > LATEST) {
      throw new StoreException(newer(label(session.schema), version));
    }
    for (int next = version + 1; next <= LATEST; next++) {
      for (String statement : MigrationScript.statements(session.schema, next)) {
        Dialect.execute(session.connection, statement);
      }
      dialect.insertAbsent(session, MigrationScript.ADD, next);
    }
    return version;
  }

  /** Names what is missing, and where. */
  void validate() {
    List<String> problems =
        transactions.run(
            "validate the schema",
            session -> {
              List<String> found = new ArrayList<>();
              for (Schema schema : sets().values()) {
                String problem = problem(session.on(schema));
                if (problem != null) {
                  found.add(problem);
                }
              }
              return found;
            });
    if (!problems.isEmpty()) {
      throw new StoreException(String.join(" ", problems));
    }
  }

  private @Nullable String problem(Session session) throws SQLException {
    Schema schema = session.schema;
    TreeSet<String> missing = new TreeSet<>();
    for (String table : schema.tables()) {
      if (!exists(session, table)) {
        missing.add(schema.table(table));
      }
    }
    int version = exists(session, Schema.VERSION_TABLE) ? version(session) : 0;
    if (version > LATEST) {
      return newer(label(schema), version);
    }
    if (version < LATEST) {
      return label(schema)
          + " is at version "
          + version
          + " and this library needs "
          + LATEST
          + ": missing are the migrations from "
          + (version + 1)
          + " to "
          + LATEST
          + (missing.isEmpty() ? "" : " and the tables " + missing)
          + ". Call migrate(), or apply what migrationScript() gives.";
    }
    return missing.isEmpty()
        ? wrongPayloads(session)
        : label(schema) + " says it is at version " + version + ", but lacks " + missing + ".";
  }

  private @Nullable String wrongPayloads(Session session) throws SQLException {
    Schema schema = session.schema;
    for (String table : Schema.WITH_PAYLOAD) {
      String type = payloadType(session, table);
      boolean json = type.contains("json") || type.contains("text");
      if (json != (schema.payloads() == PayloadColumn.JSON)) {
        return label(schema)
            + " has payloads of the type "
            + type
            + " in "
            + schema.table(table)
            + ", but the option payloads is "
            + schema.payloads()
            + ".";
      }
    }
    return null;
  }

  /** All migrations of all sets, for those who apply them with a tool of their own. */
  String script() {
    return String.join("\n", sets().values().stream().map(MigrationScript::of).toList());
  }

  /** All migrations of the set that a channel has to itself. */
  String script(String channel) {
    return MigrationScript.of(setOf(channel));
  }

  /** The main set first, since the others use its channels. */
  private Map<String, Schema> sets() {
    Map<String, Schema> sets = new LinkedHashMap<>();
    sets.put("", main); // no channel is called that
    sets.putAll(new TreeMap<>(main.ofChannels()));
    return sets;
  }

  private Schema setOf(String channel) {
    Schema own = main.ofChannels().get(channel);
    if (own == null) {
      throw new IllegalArgumentException(
          "Channel '" + channel + "' has no tables of its own: see channelTables.");
    }
    return own;
  }

  private String label(Schema schema) {
    return schema == main ? "The schema" : "The schema of the tables " + schema.table("...");
  }

  private static String newer(String label, int version) {
    return label
        + " is at version "
        + version
        + ", newer than the "
        + LATEST
        + " that this library knows: use a newer Mailroom.";
  }

  private static int version(Session session) throws SQLException {
    Long found = session.call(FIND).first(row -> orZero(MessageRow.number(row, 1)));
    return found == null ? 0 : found.intValue();
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private boolean exists(Session session, String table) throws SQLException {
    try (ResultSet found =
        session
            .connection
            .getMetaData()
            .getTables(catalog(session), in(session), name(session, table), null)) {
      return found.next();
    }
  }

  private String payloadType(Session session, String table) throws SQLException {
    try (ResultSet found =
        session
            .connection
            .getMetaData()
            .getColumns(catalog(session), in(session), name(session, table), null)) {
      while (found.next()) {
        if (found.getString("COLUMN_NAME").equalsIgnoreCase("payload")) {
          return found.getString("TYPE_NAME").toLowerCase(Locale.ROOT);
        }
      }
      return "none";
    }
  }

  private static String name(Session session, String table) throws SQLException {
    String escape = session.connection.getMetaData().getSearchStringEscape();
    return session.schema.table(table).replace("_", escape + "_");
  }

  private static @Nullable String in(Session session) throws SQLException {
    String own = session.schema.name();
    return own == null ? session.connection.getSchema() : own;
  }

  private @Nullable String catalog(Session session) throws SQLException {
    String own = session.schema.name();
    return own != null && dialect.schemasAreCatalogs() ? own : session.connection.getCatalog();
  }
}
