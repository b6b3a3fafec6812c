package dev.mailroom.jdbc;

import dev.mailroom.errors.Violations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The SQL of all migrations, for those who apply them with a tool of their own. As a program it
 * writes them to a file without any database:
 *
 * <pre>java -cp … dev.mailroom.jdbc.MigrationScript --dialect postgresql --output mailroom.sql
 * </pre>
 */
public final class MigrationScript {
  private static final String USAGE =
      """
      Writes the SQL that makes the tables of Mailroom to a file.
        --output          the file
        --dialect         postgresql, mysql, mariadb, h2 or sqlite
        --schema          the schema of the tables; the connection's unless given
        --prefix          what their names begin with; mailroom_ unless given
        --channel-prefix  the tables of a channel that has its own, with this prefix
        --payloads        bytes or json; bytes unless given
      """;
  private static final Set<String> OPTIONS =
      Set.of("--output", "--dialect", "--schema", "--prefix", "--channel-prefix", "--payloads");

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {schema_version} (
        version INTEGER NOT NULL PRIMARY KEY
      )""";

  /** Notes that a migration was applied. */
  static final String ADD = "INSERT INTO {schema_version} (version) VALUES (?)";

  private MigrationScript() {}

  /**
   * Writes the SQL to a file.
   *
   * @throws IllegalArgumentException if the arguments are of no use
   * @throws IOException if the file cannot be written
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = options(List.of(arguments));
    String output = options.get("--output");
    Dialect dialect = Dialect.named(options.getOrDefault("--dialect", ""));
    if (dialect == null || output == null) {
      throw new IllegalArgumentException(USAGE);
    }
    Files.writeString(Path.of(output), of(schema(options, dialect)));
  }

  private static Map<String, String> options(List<String> arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      options.put(arguments.get(i), arguments.get(i + 1));
    }
    if (arguments.size() % 2 != 0 || !OPTIONS.containsAll(options.keySet())) {
      throw new IllegalArgumentException(USAGE);
    }
    return options;
  }

  private static Schema schema(Map<String, String> options, Dialect dialect) {
    String name = options.get("--schema");
    String prefix = options.getOrDefault("--prefix", JdbcStoreBuilder.DEFAULT_TABLE_PREFIX);
    String own = options.get("--channel-prefix");
    Violations violations = new Violations("MigrationScript");
    String payloads = options.getOrDefault("--payloads", "bytes");
    Schema.check(violations, name, prefix, own == null ? Map.of() : Map.of("", own));
    violations.check(
        Set.of("bytes", "json").contains(payloads), "payloads", payloads, "must be bytes or json");
    violations.raise();
    PayloadColumn column = PayloadColumn.valueOf(payloads.toUpperCase(Locale.ROOT));
    Schema main = new Schema(name, prefix, dialect, column);
    return own == null ? main : main.beside(own, column);
  }

  /** All migrations of one set of tables. */
  static String of(Schema schema) {
    StringBuilder script = new StringBuilder(schema.render(CREATE)).append(";\n");
    for (int version = 1; version <= Migrations.LATEST; version++) {
      for (String statement : templates(schema, version)) {
        script.append('\n').append(schema.render(statement)).append(";\n");
      }
      String add = schema.render(ADD).replace("?", Integer.toString(version));
      script.append('\n').append(add).append(";\n");
    }
    return script.toString();
  }

  /** The statement that makes the table of versions. */
  static String versions(Schema schema) {
    return schema.render(CREATE);
  }

  /** The statements of one migration of one set of tables, without comments. */
  static List<String> statements(Schema schema, int version) {
    return templates(schema, version).stream()
        .map(MigrationScript::withoutComments)
        .map(schema::render)
        .toList();
  }

  private static List<String> templates(Schema schema, int version) {
    List<String> templates = new ArrayList<>();
    for (String template : resource(schema.dialect(), version).split(";\\s*\n", -1)) {
      if (!template.isBlank() && schema.concerns(template)) {
        templates.add(template.strip());
      }
    }
    return templates;
  }

  private static String withoutComments(String sql) {
    return sql.lines()
        .filter(line -> !line.startsWith("--"))
        .reduce("", (a, b) -> a + b + "\n")
        .strip();
  }

  private static String resource(Dialect dialect, int version) {
    String path = String.format(Locale.ROOT, "%s/%d.sql", dialect.name(), version);
    try (InputStream stream = MigrationScript.class.getResourceAsStream(path)) {
      if (stream == null) {
        throw new IllegalStateException("The migration " + path + " is not in the jar.");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("The migration " + path + " cannot be read.", e);
    }
  }
}
