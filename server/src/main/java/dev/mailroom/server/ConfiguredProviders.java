package dev.mailroom.server;

import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.server.config.Suggestions;
import dev.mailroom.webhooks.HmacProviderBuilder;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.spi.Provider;
import java.util.List;
import java.util.Locale;

/** Finds the provider of a source: one that is built in, or one that settings describe. */
final class ConfiguredProviders {
  private ConfiguredProviders() {}

  static Provider of(SourceOptions source) {
    ServerOptions.Hmac hmac = source.hmac();
    return hmac == null ? named(source.provider()) : hmac(source.name(), hmac);
  }

  private static Provider named(String name) {
    if (!isKnown(name)) {
      throw new IllegalArgumentException(unknown(name));
    }
    return Providers.named(name);
  }

  private static List<String> known() {
    return Providers.all().stream().map(Provider::name).sorted().toList();
  }

  static boolean isKnown(String name) {
    return known().contains(name);
  }

  /** The error for an unknown provider. */
  static String unknown(String name) {
    return "there is no provider '"
        + name
        + "'; there are hmac, "
        + String.join(", ", known())
        + "."
        + Suggestions.nearest(name, known()).map(n -> " Did you mean '" + n + "'?").orElse("");
  }

  private static Provider hmac(String source, ServerOptions.Hmac hmac) {
    HmacProviderBuilder builder =
        Providers.hmac(source.toLowerCase(Locale.ROOT))
            .header(hmac.header())
            .algorithm(HmacProviderBuilder.Algorithm.valueOf(upper(hmac.algorithm())))
            .encoding(HmacProviderBuilder.Encoding.valueOf(upper(hmac.encoding())))
            .keyEncoding(HmacProviderBuilder.Encoding.valueOf(upper(hmac.keyEncoding())))
            .type(hmac.type().toArray(String[]::new))
            .id(hmac.id().toArray(String[]::new))
            .entity(hmac.entity().toArray(String[]::new));
    if (hmac.prefix() != null) {
      builder.prefix(hmac.prefix());
    }
    if (hmac.content() != null) {
      builder.content(hmac.content());
    }
    if (hmac.timestampHeader() != null) {
      builder.timestampHeader(hmac.timestampHeader(), HmacProviderBuilder.TimeFormat.SECONDS);
    }
    return builder.build();
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
