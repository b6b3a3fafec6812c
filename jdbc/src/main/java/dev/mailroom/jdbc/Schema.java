package dev.mailroom.jdbc;

import dev.mailroom.errors.Violations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

  /** Those that a channel's own set of tables lacks: it uses the main set's. */
  static final Set<String> SHARED = Set.of("channel", "state");

  /** Those that hold payloads of messages. */
  static final List<String> WITH_PAYLOAD = List.of("message", "delayed", "dead", "history");

  static final String VERSION_TABLE = "schema_version";

  /** The source of numbers: a sequence, or a table where there are no sequences. */
  static final String NUMBER = "number";

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z_]+)}");

  /** The longest prefix; with the longest of our names behind it, every database takes it. */
  private static final int LONGEST = 30;

  private static final String RULE =
      "must be at most " + LONGEST + " letters, digits and underscores, and not begin with a digit";

  private final @Nullable String name;
  private final String prefix;
  private final String sharedPrefix;
  private final Dialect dialect;
  private final PayloadColumn payloads;
  private final Map<String, Schema> channels;
  private final Map<String, String> rendered = new ConcurrentHashMap<>();

  /** One set of tables for all channels. */
  Schema(@Nullable String name, String prefix, Dialect dialect, PayloadColumn payloads) {
    this(name, prefix, prefix, dialect, payloads, Map.of());
  }

  private Schema(
      @Nullable String name,
      String prefix,
      String sharedPrefix,
      Dialect dialect,
      PayloadColumn payloads,
      Map<String, Schema> channels) {
    this.name = name;
    this.prefix = prefix;
    this.sharedPrefix = sharedPrefix;
    this.dialect = dialect;
    this.payloads = payloads;
    this.channels = channels;
  }

  /** A further set of tables beside this one. */
  Schema beside(String otherPrefix, PayloadColumn otherPayloads) {
    return new Schema(name, otherPrefix, prefix, dialect, otherPayloads, Map.of());
  }

  /** The same set as the main one, where these channels have sets of their own. */
  Schema with(Map<String, Schema> ofChannels) {
    return new Schema(name, prefix, prefix, dialect, payloads, ofChannels);
  }

  /** The set in which a channel lives. */
  Schema of(String channel) {
    return channels.isEmpty() ? this : channels.getOrDefault(channel, this);
  }

  Dialect dialect() {
    return dialect;
  }

  /** In what kind of column its payloads are. */
  PayloadColumn payloads() {
    return payloads;
  }

  private boolean isJson() {
    return payloads == PayloadColumn.JSON;
  }

  /** The sets that channels have to themselves, by channel. */
  Map<String, Schema> ofChannels() {
    return channels;
  }

  /** Notes what is wrong with names that come from outside. */
  static void check(
      Violations violations, @Nullable String schema, String main, Map<String, String> ofChannels) {
    violations.check(schema == null || isIdentifier(schema), "schema", schema, RULE);
    violations.check(isIdentifier(main), "tablePrefix", main, RULE);
    Map<String, String> prefixes = new TreeMap<>(ofChannels);
    prefixes.forEach(
        (channel, prefix) -> {
          String option = "channelTables of '" + channel + "'";
          violations.check(isIdentifier(prefix), option, prefix, RULE);
          violations.check(
              isApart(prefix, main)
                  && prefixes.entrySet().stream()
                      .filter(other -> !other.getKey().equals(channel))
                      .allMatch(other -> isApart(prefix, other.getValue())),
              option,
              prefix,
              "must not lead to a table of another set");
        });
  }

  private static boolean isIdentifier(String name) {
    return IDENTIFIER.matcher(name).matches() && name.length() <= LONGEST;
  }

  /** Whether no table or index of the one is one of the other, whatever the case of letters. */
  private static boolean isApart(String prefix, String other) {
    String one = prefix.toLowerCase(Locale.ROOT);
    String two = other.toLowerCase(Locale.ROOT);
    return !one.equals(two)
        && TABLES.stream().noneMatch(table -> one.startsWith(two + table + "_"));
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
    return (SHARED.contains(logical) ? sharedPrefix : prefix) + logical;
  }

  /** The tables that this set consists of. */
  List<String> tables() {
    return TABLES.stream().filter(this::owns).toList();
  }

  /** Whether a statement of a migration concerns this set. */
  boolean concerns(String template) {
    return SHARED.stream().allMatch(table -> owns(table) || !template.contains("{" + table + "}"));
  }

  private boolean owns(String table) {
    return prefix.equals(sharedPrefix) || !SHARED.contains(table);
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
      case "token" -> replace(dialect.token());
      case "no_token" -> dialect.noToken();
      case "unwritten" -> dialect.unwritten();
      case "lane" -> dialect.lane();
      case "place" -> dialect.place();
      case "prefix" -> prefix;
      case "message_by_ids" -> replace(dialect.byIds("{message}"));
      case "delayed_by_ids" -> replace(dialect.byIds("{delayed}"));
      case "dead_by_ids" -> replace(dialect.byIds("{dead}"));
      case "history_by_ids" -> replace(dialect.byIds("{history}"));
      case "counter" -> replace(dialect.counter());
      case "payload_type" -> isJson() ? dialect.jsonType() : dialect.bytesType();
      case "payload_value" -> isJson() ? dialect.json("?") : "?";
      case "payload_given" -> isJson() ? dialect.json("payload") : "payload";
      default -> {
        String quoted = dialect.quote(table(placeholder));
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
