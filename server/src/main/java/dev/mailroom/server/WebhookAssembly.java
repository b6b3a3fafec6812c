package dev.mailroom.server;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import dev.mailroom.server.targets.DeliveryTarget;
import dev.mailroom.server.targets.DeliveryTargets;
import dev.mailroom.server.targets.SourceLimit;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Secret;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.SourceBuilder;
import dev.mailroom.webhooks.WebhookHandlerOptions;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.WebhooksBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes webhooks of the configured sources, with their targets as handlers. */
public final class WebhookAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookAssembly.class);

  /** Workers that no target can hold. */
  private static final int SPARE_WORKERS = 10;

  private WebhookAssembly() {}

  /**
   * The sources, with their providers and secrets.
   *
   * @throws ConfigurationException naming all that is wrong with any of them
   */
  public static List<Source> sources(List<SourceOptions> configured) {
    List<String> problems = new ArrayList<>();
    List<Source> sources = new ArrayList<>();
    for (SourceOptions source : configured) {
      try {
        sources.add(source(source));
      } catch (InvalidOptionsException e) {
        e.violations().forEach(v -> problems.add("sources." + source.name() + ": " + v));
      } catch (IllegalArgumentException e) {
        problems.add("sources." + source.name() + ": " + e.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return sources;
  }

  static Source source(SourceOptions options) {
    SourceBuilder source = Source.of(options.name(), ConfiguredProviders.of(options));
    for (ServerOptions.SourceSecret secret : options.secrets()) {
      Secret live = Secret.of(secret.label(), secret.value().reveal());
      source.secret(secret.expires() == null ? live : live.expiringAt(secret.expires()));
    }
    if (options.path() != null) {
      source.path(options.path());
    }
    if (options.publicUrl() != null) {
      source.publicUrl(options.publicUrl());
    }
    if (options.window() != null) {
      source.tolerance(options.window());
    }
    if (options.tenant() != null) {
      source.tenant(options.tenant());
    }
    if (options.verifyToken() != null) {
      source.verifyToken(options.verifyToken().reveal());
    }
    return source.build();
  }

  /**
   * The webhooks, or null if there are no sources.
   *
   * @throws ConfigurationException naming what is wrong
   */
  static @Nullable Webhooks webhooks(ServerOptions options, DeliveryTargets targets) {
    List<Source> sources = sources(options.sources());
    if (sources.isEmpty()) {
      return null;
    }
    WebhooksBuilder builder =
        Webhooks.builder()
            .name(OptionsReader.WEBHOOKS)
            .bodyLimit(options.limits().body())
            .options(
                inbox ->
                    inbox
                        .concurrency(concurrency(options))
                        .history(options.webhooks().history())
                        .deadLetterLifetime(options.webhooks().deadLetterLifetime())
                        .lease(options.lease())
                        .shutdownGrace(options.grace()));
    sources.forEach(builder::source);
    for (SourceOptions source : options.sources()) {
      SourceLimit limit = SourceLimit.of(source, TimeSource.system());
      for (String name : source.targets()) {
        TargetOptions target = Objects.requireNonNull(options.targets().get(name), name);
        DeliveryTarget taker = targets.get(name);
        builder.handler(
            source.name() + "/" + target.name(), // stored with what was done: names the target
            handler(source.name(), target),
            event -> limit.deliver(taker, event.message(), event.attempt()));
      }
    }
    try {
      return builder.build();
    } catch (InvalidOptionsException e) {
      throw new ConfigurationException(e.violations());
    }
  }

  /**
   * How many workers there are. Each target can hold as many as it takes calls at once, and as many
   * again that wait for a moment; so that all others go on whatever becomes of it, there is one for
   * each of these, and some more.
   */
  static int concurrency(ServerOptions options) {
    int calls =
        options.sources().stream()
            .flatMap(source -> source.targets().stream())
            .distinct()
            .map(name -> Objects.requireNonNull(options.targets().get(name), name))
            .filter(TargetOptions::makesCalls)
            .mapToInt(TargetOptions::concurrency)
            .sum();
    Integer given = options.webhooks().concurrency();
    if (given == null) {
      return 2 * calls + SPARE_WORKERS;
    }
    if (given <= calls) {
      LOG.warn(
          "webhooks.concurrency is {}, and the targets of all sources take {} calls at once: a"
              + " target that hangs can delay the others. Leave it out, or lower"
              + " targets.<target>.concurrency.",
          given,
          calls);
    }
    return given;
  }

  private static WebhookHandlerOptions handler(String source, TargetOptions target) {
    return WebhookHandlerOptions.builder()
        .source(source)
        .type(target.types().toArray(String[]::new))
        .retry(target.retry())
        .build();
  }
}
