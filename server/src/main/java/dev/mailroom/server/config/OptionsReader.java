package dev.mailroom.server.config;

import dev.mailroom.options.Ordering;
import dev.mailroom.server.config.ServerOptions.InboxSettings;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.config.ServerOptions.SourceSecret;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

/** Maps a configuration to options and finds inconsistent settings. */
public final class OptionsReader {
  /** The inbox in which events of all sources are kept; no other can have its name: {@value}. */
  public static final String WEBHOOKS = "webhooks";

  /** The provider that is made of settings: {@value}. */
  public static final String HMAC = "hmac";

  private static final List<String> OWN_PATHS =
      List.of("/api", "/health", "/metrics", "/openapi.json", "/webhooks", "/diagnostics");

  private final Configuration configuration;
  private final Problems problems = new Problems();
  private final OptionRules rules;

  private OptionsReader(Configuration configuration) {
    this.configuration = configuration;
    this.rules = new OptionRules(configuration, problems);
  }

  /** Finds what is wrong with the parts of a server that others make of the options. */
  public interface PartsCheck {
    /**
     * Tries to make the parts.
     *
     * @param isWhole whether there is no problem so far; else only single parts can be built, and
     *     secrets that are reported already may be missing
     * @param problem takes the setting, or what is before its last dots, and what is wrong with it
     */
    void check(ServerOptions options, boolean isWhole, BiConsumer<String, String> problem);
  }

  /**
   * The options.
   *
   * @throws ConfigurationException naming all that is wrong, but nothing that only {@link
   *     PartsCheck} can find
   */
  public static ServerOptions read(Configuration configuration) {
    return read(configuration, (options, isWhole, problem) -> {});
  }

  /**
   * The options, checked by others as well.
   *
   * @throws ConfigurationException naming all that is wrong
   */
  public static ServerOptions read(Configuration configuration, PartsCheck check) {
    OptionsReader reader = new OptionsReader(configuration);
    reader.problems.addAll(configuration.problems());
    ServerOptions options = reader.read();
    check.check(options, reader.problems.isEmpty(), reader.rules::report);
    reader.problems.raise();
    return options;
  }

  private ServerOptions read() {
    Configuration given = configuration;
    Map<String, TargetOptions> targets = new TargetsReader(configuration, rules).read();
    Set<String> targetNames = configuration.names("targets");
    ServerOptions options =
        new ServerOptions(
            new ServerOptions.Listen(given.text("listen.address"), port()),
            store(),
            access(),
            limits(),
            new ServerOptions.Log(given.text("log.format"), given.text("log.level")),
            rules.positive("delivery.lease"),
            given.duration("shutdown.grace"),
            given.flag("diagnostics"),
            new ServerOptions.WebhookOptions(
                rules.optionalPositive("webhooks.concurrency"),
                rules.positiveOrNone("webhooks.history"),
                rules.positiveOrNone("webhooks.dead-letter-lifetime")),
            sources(targetNames),
            inboxes(targetNames),
            targets);
    if (options.limits().threads() < 8) {
      rules.refuse("limits.threads", "it must be at least 8.");
    }
    return options;
  }

  private ServerOptions.RequestLimits limits() {
    Configuration given = configuration;
    int body = rules.positive("limits.body", given.size("limits.body"));
    Integer bodies =
        given.optional("limits.bodies") == null ? null : (Integer) given.size("limits.bodies");
    if (bodies != null && bodies < body) {
      rules.refuse("limits.bodies", "it must be at least limits.body.");
    }
    return new ServerOptions.RequestLimits(
        body,
        bodies,
        rules.positive("limits.headers", given.size("limits.headers")),
        rules.positive("limits.header-time"),
        rules.positive("limits.request-time"),
        rules.positive("limits.connections", given.number("limits.connections")),
        rules.positive("limits.threads", given.number("limits.threads")));
  }

  private int port() {
    int port = configuration.number("listen.port");
    if (port < 0 || port > 65_535) {
      rules.refuse("listen.port", "a port is from 0 to 65535, not " + port + ".");
    }
    return port;
  }

  private StoreOptions store() {
    String url = configuration.text("store.url");
    List<String> kinds =
        List.of("jdbc:sqlite:", "jdbc:postgresql:", "jdbc:mysql:", "jdbc:mariadb:");
    if (kinds.stream().noneMatch(url::startsWith)) {
      rules.refuse(
          "store.url",
          "it must begin with one of "
              + String.join(", ", kinds)
              + ". Users and passwords have settings of their own.");
    }
    String migrate = configuration.text("store.migrate");
    return new StoreOptions(
        url,
        configuration.optional("store.user"),
        configuration.secret("store.password"),
        configuration.optional("store.schema"),
        rules.positive("store.connections", configuration.number("store.connections")),
        rules.positive("store.timeout"),
        migrate.equals("yes") || (migrate.equals("auto") && url.startsWith("jdbc:sqlite:")));
  }

  private ServerOptions.Access access() {
    Map<String, SecretText> keys = new LinkedHashMap<>();
    for (String name : rules.names("api.keys")) {
      SecretText key = configuration.secret("api.keys." + name);
      if (key != null && key.reveal().length() >= 16) {
        keys.put(name, key);
      } else if (!configuration.wasRefused("api.keys." + name)) {
        // without any key the API could be open
        rules.refuse("api.keys." + name, "a key has at least 16 characters.");
      }
    }
    return new ServerOptions.Access(keys, configuration.flag("metrics.open"));
  }

  private List<SourceOptions> sources(Set<String> targets) {
    List<SourceOptions> sources = new ArrayList<>();
    for (String name : rules.names("sources")) {
      String prefix = "sources." + name + ".";
      String provider = configuration.optional(prefix + "provider");
      if (provider == null) {
        rules.require(false, prefix + "provider", "a source needs one.");
        continue;
      }
      String path = configuration.optional(prefix + "path");
      if (path != null && OWN_PATHS.stream().anyMatch(own -> isBelow(path, own))) {
        rules.refuse(prefix + "path", "the server itself answers at " + path + ".");
      }
      List<String> chosen = configuration.list(prefix + "targets");
      chosen.forEach(target -> rules.requireTarget(prefix + "targets", target, targets));
      sources.add(
          new SourceOptions(
              name,
              provider,
              secrets(prefix),
              path,
              configuration.optional(prefix + "public-url"),
              configuration.optionalDuration(prefix + "window"),
              configuration.optional(prefix + "tenant"),
              configuration.secret(prefix + "verify-token"),
              provider.equals(HMAC) ? hmac(prefix + "hmac.") : null,
              rules.optionalPositive(prefix + "concurrency"),
              chosen));
    }
    return sources;
  }

  private ServerOptions.Hmac hmac(String prefix) {
    String header = configuration.optional(prefix + "header");
    rules.require(header != null, prefix + "header", "the provider hmac needs it.");
    return new ServerOptions.Hmac(
        Objects.requireNonNullElse(header, ""),
        configuration.optional(prefix + "prefix"),
        configuration.text(prefix + "algorithm"),
        configuration.text(prefix + "encoding"),
        configuration.text(prefix + "key-encoding"),
        configuration.optional(prefix + "content"),
        configuration.optional(prefix + "timestamp-header"),
        configuration.list(prefix + "type"),
        configuration.list(prefix + "id"),
        configuration.list(prefix + "entity"));
  }

  private static boolean isBelow(String path, String own) {
    return path.equals(own) || path.startsWith(own + "/");
  }

  private List<SourceSecret> secrets(String prefix) {
    List<SourceSecret> secrets = new ArrayList<>();
    SecretText only = configuration.secret(prefix + "secret");
    if (only != null) {
      secrets.add(new SourceSecret("secret", only, null));
    }
    for (String label : rules.names(prefix + "secrets")) {
      String name = prefix + "secrets." + label;
      SecretText value = configuration.secret(name + ".value");
      if (value == null) {
        rules.require(false, name + ".value", "a secret needs it.");
      } else {
        secrets.add(new SourceSecret(label, value, configuration.time(name + ".expires")));
      }
    }
    return secrets;
  }

  private List<InboxSettings> inboxes(Set<String> targets) {
    List<InboxSettings> inboxes = new ArrayList<>();
    for (String name : rules.names("inboxes")) {
      if (name.equals(WEBHOOKS)) {
        rules.refuse(
            "inboxes." + name, "an inbox cannot be called so: events of sources are there.");
      }
      String prefix = "inboxes." + name + ".";
      String target = configuration.optional(prefix + "target");
      if (target != null) {
        rules.requireTarget(prefix + "target", target, targets);
      }
      String ordering = configuration.text(prefix + "ordering");
      inboxes.add(
          new InboxSettings(
              name,
              target,
              Ordering.valueOf(ordering.toUpperCase(Locale.ROOT).replace('-', '_')),
              rules.positive(prefix + "concurrency", configuration.number(prefix + "concurrency")),
              rules.positiveOrNone(prefix + "history"),
              rules.positiveOrNone(prefix + "dead-letter-lifetime"),
              configuration.duration(prefix + "deduplication-window")));
    }
    return inboxes;
  }
}
