package dev.mailroom.jdbc;

import dev.mailroom.Violations;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the tables, and how they get into statements: a statement says {@code {message}} and
 * the name is put in its place once, quoted.
 */
final class Schema {
  /** Every table, in the order in which they are created. */
  static final List<String> TABLES =
      List.of(
          "channel",
          "message",
          "delayed",
          "lease",
          "turn",
          "turn_later",
          "hold",
          "dead",
          "history",
          "deduplication",
          "state");

  static final String VERSION_TABLE = "schema_version";

  /** The source of numbers: a sequence, or a table where there are no sequences. */
  static final String NUMBER = "number";

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");

  /** The longest prefix; with the longest of our names behind it, every database takes it. */
  private static final int LONGEST = 30;

  private final @Nullable String name;
  private final String prefix;
  private final Dialect dialect;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();

  Schema(@Nullable String name, String prefix, Dialect dialect) {
    this.name = name;
    this.prefix = prefix;
    this.dialect = dialect;
  }

  /** Notes what is wrong with names that come from outside. */
  static void check(Violations violations, @Nullable String schema, String prefix) {
    violations.check(schema == null || isIdentifier(schema), "schema", schema, rule());
    violations.check(isIdentifier(prefix), "tablePrefix", prefix, rule());
  }

  private static boolean isIdentifier(String name) {
    return IDENTIFIER.matcher(name).matches() && name.length() <= LONGEST;
  }

  private static String rule() {
    return "must be at most "
        + LONGEST
        + " letters, digits and underscores, and not begin with a digit";
  }

  /** The statement with names in the place of {@code {placeholders}}. */
  String render(String template) {
    String known = rendered.get(template);
    return known != null ? known : rendered.computeIfAbsent(template, this::replace);
  }

  /** The schema's name, quoted, or null if it is the connection's. */
  @Nullable String quotedName() {
    return name == null ? null : dialect.quote(name);
  }

  /** The schema's name, or null if it is the connection's. */
  @Nullable String name() {
    return name;
  }

  /** A table's name without its schema. */
  String table(String logical) {
    return prefix + logical;
  }

  private String replace(String template) {
    Matcher matcher = PLACEHOLDER.matcher(template);
    StringBuilder text = new StringBuilder();
    while (matcher.find()) {
      matcher.appendReplacement(text, Matcher.quoteReplacement(nameOf(matcher.group(1))));
    }
    return matcher.appendTail(text).toString();
  }

  private String nameOf(String placeholder) {
    return switch (placeholder) {
      case "lock" -> dialect.lock();
      case "skip" -> dialect.skipLocked();
      case "list" -> "{list}"; // its length is known at the call only
      case "columns" -> Columns.LIST;
      case "prefix" -> prefix;
      default -> {
        String quoted = dialect.quote(prefix + placeholder);
        boolean inSchema =
            TABLES.contains(placeholder)
                || placeholder.equals(VERSION_TABLE)
                || placeholder.equals(NUMBER)
                || dialect.qualifiesIndexes();
        yield name == null || !inSchema ? quoted : dialect.quote(name) + "." + quoted;
      }
    };
  }
}
