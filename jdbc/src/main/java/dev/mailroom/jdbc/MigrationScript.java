package dev.mailroom.jdbc;

import dev.mailroom.InvalidOptionsException;
import dev.mailroom.Violations;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The SQL of all migrations, for those who apply them with a tool of their own. As a program it
 * prints them without any database:
 *
 * <pre>java -cp … dev.mailroom.jdbc.MigrationScript --dialect postgresql</pre>
 */
public final class MigrationScript {
  private static final String USAGE =
      """
      Prints the SQL that makes the tables of Mailroom.
        --dialect         postgresql, mysql, mariadb, h2 or sqlite
        --schema          the schema of the tables; the connection's unless given
        --prefix          what their names begin with; mailroom_ unless given
        --channel-prefix  prints the tables of a channel that has its own, with this prefix
      """;
  private static final Set<String> OPTIONS =
      Set.of("--dialect", "--schema", "--prefix", "--channel-prefix");

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS {schema_version} (
        version INTEGER NOT NULL PRIMARY KEY
      )""";

  /** Notes that a migration was applied. */
  static final String ADD = "INSERT INTO {schema_version} (version) VALUES (?)";

  private MigrationScript() {}

  /** Prints the SQL; ends with the status 2 if the arguments are of no use. */
  public static void main(String[] arguments) {
    if (!run(List.of(arguments), System.out, System.err)) {
      System.exit(2);
    }
  }

  /** Whether the arguments were understood. */
  static boolean run(List<String> arguments, PrintStream out, PrintStream errors) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      options.put(arguments.get(i), arguments.get(i + 1));
    }
    Dialect dialect = Dialect.named(options.getOrDefault("--dialect", ""));
    if (dialect == null || arguments.size() % 2 != 0 || !OPTIONS.containsAll(options.keySet())) {
      errors.print(USAGE);
      return false;
    }
    try {
      out.print(of(schema(options, dialect)));
      return true;
    } catch (InvalidOptionsException e) {
      errors.println(e.getMessage());
      return false;
    }
  }

  private static Schema schema(Map<String, String> options, Dialect dialect) {
    String name = options.get("--schema");
    String prefix = options.getOrDefault("--prefix", JdbcStoreBuilder.DEFAULT_TABLE_PREFIX);
    String own = options.get("--channel-prefix");
    Violations violations = new Violations("MigrationScript");
    Schema.check(violations, name, prefix, own == null ? Map.of() : Map.of("", own));
    violations.raise();
    Schema main = new Schema(name, prefix, dialect);
    return own == null ? main : main.beside(own);
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
