package dev.mailroom.server.config;

import dev.mailroom.Backoff;
import dev.mailroom.InvalidOptionsException;
import dev.mailroom.Ordering;
import dev.mailroom.RetryPolicy;
import dev.mailroom.server.config.ServerOptions.InboxSettings;
import dev.mailroom.server.config.ServerOptions.Kind;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.config.ServerOptions.SourceSecret;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns a configuration into options, and finds what does not fit together. */
public final class OptionsReader {
  /** The inbox in which events of all sources are kept; no other can have its name: {@value}. */
  public static final String WEBHOOKS = "webhooks";

  /** The provider that is made of settings: {@value}. */
  public static final String HMAC = "hmac";

  /** How many calls of a target are under way at once, unless said otherwise. */
  private static final int CONCURRENCY = 10;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");
  private static final List<String> OWN_PATHS =
      List.of("/api", "/health", "/metrics", "/openapi.json", "/webhooks", "/diagnostics");

  private final Configuration configuration;
  private final Problems problems = new Problems();

  private OptionsReader(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * The options.
   *
   * @throws ConfigurationException naming all that is wrong
   */
  public static ServerOptions read(Configuration configuration) {
    return new OptionsReader(configuration).read();
  }

  private ServerOptions read() {
    Configuration given = configuration;
    Map<String, TargetOptions> targets = targets();
    ServerOptions options =
        new ServerOptions(
            new ServerOptions.Listen(given.text("listen.address"), port()),
            store(),
            access(),
            new ServerOptions.RequestLimits(
                positive("limits.body", given.size("limits.body")),
                positive("limits.headers", given.size("limits.headers")),
                given.duration("limits.request-time"),
                positive("limits.connections", given.number("limits.connections")),
                positive("limits.threads", given.number("limits.threads"))),
            new ServerOptions.Log(given.text("log.format"), given.text("log.level")),
            given.duration("delivery.lease"),
            given.duration("shutdown.grace"),
            given.flag("diagnostics"),
            new ServerOptions.WebhookOptions(
                optionalPositive("webhooks.concurrency"),
                given.optionalDuration("webhooks.history"),
                given.optionalDuration("webhooks.dead-letter-lifetime")),
            sources(targets.keySet()),
            inboxes(targets.keySet()),
            targets);
    if (options.limits().threads() < 8) {
      problems.add(at("limits.threads") + "it must be at least 8.");
    }
    problems.raise();
    return options;
  }

  private int port() {
    int port = configuration.number("listen.port");
    if (port < 0 || port > 65_535) {
      problems.add(at("listen.port") + "a port is from 0 to 65535, not " + port + ".");
    }
    return port;
  }

  private StoreOptions store() {
    String url = configuration.text("store.url");
    List<String> kinds =
        List.of("jdbc:sqlite:", "jdbc:postgresql:", "jdbc:mysql:", "jdbc:mariadb:");
    if (kinds.stream().noneMatch(url::startsWith)) {
      problems.add(
          at("store.url")
              + "it must begin with one of "
              + String.join(", ", kinds)
              + ". Users and passwords have settings of their own.");
    }
    String migrate = configuration.text("store.migrate");
    return new StoreOptions(
        url,
        configuration.optional("store.user"),
        configuration.secret("store.password"),
        configuration.optional("store.schema"),
        positive("store.connections", configuration.number("store.connections")),
        migrate.equals("yes") || (migrate.equals("auto") && url.startsWith("jdbc:sqlite:")));
  }

  private ServerOptions.Access access() {
    Map<String, SecretText> keys = new LinkedHashMap<>();
    for (String name : names("api.keys")) {
      SecretText key = configuration.secret("api.keys." + name);
      if (key == null || key.reveal().length() < 16) { // without any key the API could be open
        problems.add(at("api.keys." + name) + "a key has at least 16 characters.");
      } else {
        keys.put(name, key);
      }
    }
    return new ServerOptions.Access(keys, configuration.flag("metrics.open"));
  }

  private List<SourceOptions> sources(Set<String> targets) {
    List<SourceOptions> sources = new ArrayList<>();
    for (String name : names("sources")) {
      String prefix = "sources." + name + ".";
      String provider = configuration.optional(prefix + "provider");
      if (provider == null) {
        problems.add("The source '" + name + "' has no provider: set " + prefix + "provider.");
        continue;
      }
      String path = configuration.optional(prefix + "path");
      if (path != null && OWN_PATHS.stream().anyMatch(own -> isBelow(path, own))) {
        problems.add(at(prefix + "path") + "the server itself answers at " + path + ".");
      }
      List<String> chosen = configuration.list(prefix + "targets");
      chosen.forEach(target -> requireTarget(prefix + "targets", target, targets));
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
              optionalPositive(prefix + "concurrency"),
              chosen));
    }
    return sources;
  }

  private ServerOptions.Hmac hmac(String prefix) {
    String header = configuration.optional(prefix + "header");
    require(header != null, prefix + "header", "the provider hmac needs it.");
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
    for (String label : names(prefix + "secrets")) {
      String name = prefix + "secrets." + label;
      SecretText value = configuration.secret(name + ".value");
      if (value == null) {
        problems.add("The secret '" + label + "' has no value: set " + name + ".value.");
      } else {
        secrets.add(new SourceSecret(label, value, configuration.time(name + ".expires")));
      }
    }
    return secrets;
  }

  private List<InboxSettings> inboxes(Set<String> targets) {
    List<InboxSettings> inboxes = new ArrayList<>();
    for (String name : names("inboxes")) {
      if (name.equals(WEBHOOKS)) {
        problems.add("An inbox cannot be called '" + WEBHOOKS + "': events of sources are there.");
      }
      String prefix = "inboxes." + name + ".";
      String target = configuration.optional(prefix + "target");
      if (target != null) {
        requireTarget(prefix + "target", target, targets);
      }
      String ordering = configuration.text(prefix + "ordering");
      inboxes.add(
          new InboxSettings(
              name,
              target,
              Ordering.valueOf(ordering.toUpperCase(Locale.ROOT).replace('-', '_')),
              positive(prefix + "concurrency", configuration.number(prefix + "concurrency")),
              configuration.optionalDuration(prefix + "history"),
              configuration.optionalDuration(prefix + "dead-letter-lifetime"),
              configuration.duration(prefix + "deduplication-window")));
    }
    return inboxes;
  }

  private Map<String, TargetOptions> targets() {
    Map<String, TargetOptions> targets = new LinkedHashMap<>();
    for (String name : names("targets")) {
      String prefix = "targets." + name + ".";
      RetryPolicy retry = retry(prefix);
      Kind kind = kind(prefix);
      if (kind != null && retry != null) {
        targets.put(
            name,
            new TargetOptions(
                name,
                configuration.list(prefix + "types"),
                retry,
                configuration.duration(prefix + "timeout"),
                concurrency(name),
                breaker(prefix),
                kind));
      }
    }
    return targets;
  }

  /** An inbox of its own is not to be slowed down by a limit that nobody has set. */
  private int concurrency(String target) {
    Integer given = optionalPositive("targets." + target + ".concurrency");
    int most = CONCURRENCY;
    for (String inbox : configuration.names("inboxes")) {
      String prefix = "inboxes." + inbox + ".";
      if (target.equals(configuration.optional(prefix + "target"))) {
        most = Math.max(most, configuration.number(prefix + "concurrency"));
      }
    }
    return given == null ? most : given;
  }

  private TargetOptions.Breaker breaker(String prefix) {
    int failures = configuration.number(prefix + "breaker-failures");
    Duration first = configuration.duration(prefix + "breaker-first-pause");
    Duration longest = configuration.duration(prefix + "breaker-longest-pause");
    if (failures < 0) {
      problems.add(at(prefix + "breaker-failures") + "it must not be negative; 0 means never.");
    }
    if (first.isZero() || longest.compareTo(first) < 0) {
      problems.add(
          at(prefix + "breaker-longest-pause")
              + "the longest pause must not be shorter than the first one, which must be longer"
              + " than nothing.");
    }
    return new TargetOptions.Breaker(failures, first, longest);
  }

  private @Nullable RetryPolicy retry(String prefix) {
    Duration first = configuration.duration(prefix + "first-delay");
    Duration longest = configuration.duration(prefix + "longest-delay");
    try {
      return RetryPolicy.DEFAULT
          .withAttempts(configuration.number(prefix + "attempts"))
          // What waits for its target has not failed, however often it has to come again.
          .withDeferrals(Integer.MAX_VALUE)
          .withBackoff(Backoff.exponential(first, longest));
    } catch (InvalidOptionsException e) {
      problems.add(prefix + "…: " + e.getMessage() + ".");
      return null;
    }
  }

  private @Nullable Kind kind(String prefix) {
    return switch (configuration.text(prefix + "type")) {
      case "log" -> new Kind.LogLine(configuration.flag(prefix + "payload"));
      case "http" -> {
        String url = configuration.optional(prefix + "url");
        List<SecretText> secrets = configuration.secrets(prefix + "secrets");
        require(url != null, prefix + "url", "a target of type http needs it.");
        require(!secrets.isEmpty(), prefix + "secrets", "requests are signed: give one, whsec_….");
        yield new Kind.Post(
            Objects.requireNonNullElse(url, ""),
            secrets,
            configuration.optional(prefix + "topic"),
            configuration.text(prefix + "addresses").equals("any"),
            configuration.text(prefix + "on-rejection").equals("dead-letter"));
      }
      default -> {
        List<String> command = configuration.list(prefix + "command");
        require(!command.isEmpty(), prefix + "command", "a target of type command needs it.");
        yield new Kind.Program(command);
      }
    };
  }

  private void require(boolean holds, String name, String rule) {
    if (!holds) {
      problems.add(name + " is missing: " + rule);
    }
  }

  private void requireTarget(String setting, String target, Set<String> targets) {
    if (!targets.contains(target)) {
      problems.add(
          at(setting)
              + "there is no target '"
              + target
              + "'; there are "
              + targets
              + "."
              + Suggestions.nearest(target, List.copyOf(targets))
                  .map(near -> " Did you mean '" + near + "'?")
                  .orElse(""));
    }
  }

  private int positive(String name, int value) {
    if (value < 1) {
      problems.add(at(name) + "it must be at least 1, not " + value + ".");
    }
    return value;
  }

  private @Nullable Integer optionalPositive(String name) {
    Integer value = configuration.optionalNumber(name);
    return value == null ? null : Integer.valueOf(positive(name, value));
  }

  private Set<String> names(String prefix) {
    Set<String> names = configuration.names(prefix);
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        problems.add(
            prefix + "." + name + ": a name is made of letters, digits, dashes and underscores.");
      }
    }
    return names;
  }

  private String at(String name) {
    return configuration.origin(name) + ": '" + name + "': ";
  }
}
