package dev.mailroom.server.config;

import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.server.config.ServerOptions.Kind;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the targets. Invalid ones are reported and left out. */
final class TargetsReader {
  /** How many calls of a target are under way at once by default. */
  private static final int CONCURRENCY = 10;

  private final Configuration configuration;
  private final OptionRules rules;

  TargetsReader(Configuration configuration, OptionRules rules) {
    this.configuration = configuration;
    this.rules = rules;
  }

  Map<String, TargetOptions> read() {
    Map<String, TargetOptions> targets = new LinkedHashMap<>();
    for (String name : rules.names("targets")) {
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
                rules.positive(prefix + "timeout"),
                concurrency(name),
                breaker(prefix),
                kind));
      }
    }
    return targets;
  }

  /** The target of an inbox is called as often at once as the inbox allows. */
  private int concurrency(String target) {
    Integer given = rules.optionalPositive("targets." + target + ".concurrency");
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
    Duration first = rules.positive(prefix + "breaker-first-pause");
    Duration longest = rules.positive(prefix + "breaker-longest-pause");
    if (failures < 0) {
      rules.refuse(prefix + "breaker-failures", "it must not be negative; 0 means never.");
    }
    if (longest.compareTo(first) < 0) {
      rules.refuse(
          prefix + "breaker-longest-pause",
          "it must not be shorter than breaker-first-pause, which is " + Units.shown(first) + ".");
    }
    return new TargetOptions.Breaker(failures, first, longest);
  }

  private @Nullable RetryPolicy retry(String prefix) {
    Duration first = rules.positive(prefix + "first-delay");
    Duration longest = rules.positive(prefix + "longest-delay");
    int attempts = rules.positive(prefix + "attempts", configuration.number(prefix + "attempts"));
    if (longest.compareTo(first) < 0) {
      rules.refuse(
          prefix + "longest-delay",
          "it must not be shorter than first-delay, which is " + Units.shown(first) + ".");
    }
    return first.isZero() || longest.compareTo(first) < 0 || attempts < 1
        ? null
        : RetryPolicy.builder()
            .attempts(attempts)
            // A message that waits for its target has not failed, however often it is deferred.
            .deferrals(Integer.MAX_VALUE)
            .backoff(Backoff.exponential(first, longest))
            .build();
  }

  private @Nullable Kind kind(String prefix) {
    return switch (configuration.text(prefix + "type")) {
      case "log" -> new Kind.LogLine(configuration.flag(prefix + "payload"));
      case "http" -> {
        String url = configuration.optional(prefix + "url");
        List<SecretText> secrets = configuration.secrets(prefix + "secrets");
        rules.require(url != null, prefix + "url", "a target of type http needs it.");
        boolean isUrl = url != null && isHttp(url);
        if (url != null && !isUrl) {
          rules.refuse(prefix + "url", "it must be a URL such as https://host/path.");
        }
        rules.require(
            !secrets.isEmpty(), prefix + "secrets", "requests are signed: give one, whsec_….");
        yield url == null || !isUrl || secrets.isEmpty()
            ? null
            : new Kind.Post(
                url,
                secrets,
                configuration.optional(prefix + "topic"),
                configuration.text(prefix + "addresses").equals("any"),
                configuration.text(prefix + "on-rejection").equals("dead-letter"));
      }
      default -> {
        List<String> command = configuration.list(prefix + "command");
        rules.require(!command.isEmpty(), prefix + "command", "a target of type command needs it.");
        yield command.isEmpty() ? null : new Kind.Program(command);
      }
    };
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = new URI(url);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      return (scheme.equals("http") || scheme.equals("https")) && uri.getRawAuthority() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
