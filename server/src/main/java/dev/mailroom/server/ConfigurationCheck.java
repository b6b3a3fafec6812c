package dev.mailroom.server;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.targets.DeliveryTargets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * Builds everything that a configuration describes without starting it, so that all problems are
 * reported at once.
 */
public final class ConfigurationCheck {
  private final Configuration configuration;

  private ConfigurationCheck(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * The options of a server that can be started.
   *
   * @throws ConfigurationException naming all that is wrong
   */
  public static ServerOptions read(Configuration configuration) {
    return OptionsReader.read(configuration, new ConfigurationCheck(configuration)::check);
  }

  private void check(ServerOptions options, boolean isWhole, BiConsumer<String, String> problem) {
    AtomicBoolean found = new AtomicBoolean(!isWhole);
    BiConsumer<String, String> reporting =
        (setting, text) -> {
          found.set(true);
          problem.accept(setting, text);
        };
    options.sources().forEach(source -> checkSource(source, reporting));
    try (DeliveryTargets targets =
        new DeliveryTargets(options, configuration.directory(), configuration.secretVariables())) {
      if (!found.get()) {
        WebhookAssembly.webhooks(options, targets);
      }
    } catch (ConfigurationException e) {
      e.problems().forEach(text -> report(text, reporting));
    }
  }

  private static void checkSource(SourceOptions source, BiConsumer<String, String> problem) {
    String name = "sources." + source.name();
    if (source.hmac() == null && !ConfiguredProviders.isKnown(source.provider())) {
      problem.accept(name + ".provider", ConfiguredProviders.unknown(source.provider()));
      return;
    }
    try {
      WebhookAssembly.source(source);
    } catch (InvalidOptionsException e) {
      e.violations().forEach(violation -> problem.accept(name, violation + "."));
    } catch (IllegalArgumentException e) {
      problem.accept(name, e.getMessage());
    }
  }

  /**
   * Problems of targets begin with the target's name; problems of the whole configuration do not.
   */
  private static void report(String text, BiConsumer<String, String> problem) {
    String[] parts = text.split(": ", 2);
    if (parts[0].startsWith("targets.") && parts.length == 2) {
      problem.accept(parts[0], parts[1]);
    } else {
      problem.accept("sources", text + ".");
    }
  }
}
