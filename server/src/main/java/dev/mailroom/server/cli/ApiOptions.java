package dev.mailroom.server.cli;

import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags by which a running server is found. */
final class ApiOptions {
  @Option(
      names = "--url",
      description = "The server. Default: $MAILROOM_URL, or where the configuration listens.")
  @Nullable String url;

  @Option(
      names = "--api-key",
      description =
          "A key of its API. Default: $MAILROOM_API_KEY, or, for the server of the configuration,"
              + " its first one.")
  @Nullable String apiKey;

  @Mixin ConfigOptions config = new ConfigOptions();

  ApiClient client() {
    String server = url == null ? System.getenv("MAILROOM_URL") : url;
    String secret = apiKey == null ? System.getenv("MAILROOM_API_KEY") : apiKey;
    if (server == null) {
      Configuration configuration = config.read();
      ServerOptions options = OptionsReader.read(configuration);
      server = localUrl(options);
      if (secret == null && !options.access().keys().isEmpty()) {
        secret = options.access().keys().values().iterator().next().reveal();
      }
    }
    return new ApiClient(server, secret);
  }

  /** Where a program on this host reaches a server with these options. */
  static String localUrl(ServerOptions options) {
    String address = options.listen().address();
    boolean everywhere = address.equals("0.0.0.0") || address.equals("::");
    String host = everywhere ? "127.0.0.1" : address;
    return "http://"
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + options.listen().port();
  }
}
