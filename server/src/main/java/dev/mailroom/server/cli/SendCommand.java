package dev.mailroom.server.cli;

import dev.mailroom.server.WebhookAssembly;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.SecretText;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.time.TimeSource;
import dev.mailroom.webhooks.Providers;
import dev.mailroom.webhooks.SampleWebhook;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.SourceBuilder;
import dev.mailroom.webhooks.WebhookRequest;
import dev.mailroom.webhooks.spi.Provider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    description = "Sends a signed sample webhook, to try a receiver.")
final class SendCommand implements Callable<Integer> {
  /** Headers that the JDK's client sets itself and does not allow callers to set. */
  private static final Set<String> CLIENTS_OWN =
      Set.of("host", "content-length", "connection", "expect", "upgrade");

  @Mixin ConfigOptions config = new ConfigOptions();
  @Mixin Output output = new Output();

  @Parameters(
      arity = "0..1",
      paramLabel = "SOURCE",
      description = "A source of the configuration, or, with --url and --secret, a provider.")
  @Nullable String name;

  @Option(names = "--list", description = "Lists the built-in providers.")
  boolean list;

  @Option(names = "--url", description = "Where to. Default: the configured server and source.")
  @Nullable String url;

  @Option(
      names = "--secret",
      description = "What to sign with. Default: the source's first secret.")
  @Nullable String secret;

  @Option(names = "--private-key", description = "A PEM file, where the provider signs with one.")
  @Nullable Path privateKey;

  @Option(names = "--id", description = "The event's id; the same one again is a duplicate.")
  String id = UUID.randomUUID().toString();

  @Option(names = "--body", description = "A file with the body, instead of the sample.")
  @Nullable Path body;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list || name == null) {
      List<String> names = Providers.all().stream().map(Provider::name).sorted().toList();
      output.print(names, out -> names.forEach(out::println));
      return list ? ExitCodes.OK : ExitCodes.USAGE;
    }
    Source source = source(name);
    return send(sample(source));
  }

  private Source source(String wanted) {
    if (url != null && secret != null && known(wanted)) {
      return made(wanted, url, secret);
    }
    ServerOptions options = OptionsReader.read(config.read());
    SourceOptions configured = configured(wanted, options.sources());
    if (url == null) {
      url = ApiOptions.localUrl(options) + "/webhooks/" + wanted;
    }
    SourceOptions signing =
        secret == null ? configured : configured.signedWith(SecretText.of(secret));
    return WebhookAssembly.sources(List.of(signing)).get(0);
  }

  private static SourceOptions configured(String wanted, List<SourceOptions> sources) {
    return sources.stream()
        .filter(source -> source.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCodes.USAGE,
                    "No source is called '"
                        + wanted
                        + "'; there are "
                        + sources.stream().map(SourceOptions::name).toList()
                        + ". For a provider, give --url and --secret."));
  }

  private static boolean known(String provider) {
    return Providers.all().stream().anyMatch(one -> one.name().equals(provider));
  }

  private static Source made(String provider, String publicUrl, String secret) {
    SourceBuilder builder = Source.of("sample", Providers.named(provider));
    return builder.secret(secret).publicUrl(publicUrl).build();
  }

  private WebhookRequest sample(Source source) throws IOException {
    SampleWebhook sample = SampleWebhook.of(source).id(id);
    if (body != null) {
      sample = sample.body(Files.readAllBytes(body));
    }
    if (privateKey != null) {
      sample = sample.signedBy(key(privateKey));
    }
    try {
      return sample.at(TimeSource.system().now());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCodes.USAGE, e.getMessage() + " See --private-key and --body.");
    }
  }

  private static PrivateKey key(Path file) throws IOException {
    String text = Files.readString(file).replaceAll("-----[^-]+-----|\\s", "");
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text));
    for (String algorithm : new String[] {"Ed25519", "EC"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (GeneralSecurityException e) {
        // It is one of another kind.
      }
    }
    throw new CommandFailure(ExitCodes.USAGE, file + " holds no Ed25519 or EC key (PKCS 8, PEM).");
  }

  private int send(WebhookRequest sample) throws IOException, InterruptedException {
    URI target = URI.create(String.valueOf(url));
    if (sample.query() != null && target.getQuery() == null) {
      target = URI.create(target + "?" + sample.query());
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(Duration.ofSeconds(30))
            .method(sample.method(), HttpRequest.BodyPublishers.ofByteArray(sample.body()));
    for (String header : sample.headers().names()) {
      if (!CLIENTS_OWN.contains(header.toLowerCase(java.util.Locale.ROOT))) {
        sample.headers().all(header).forEach(value -> request.header(header, value));
      }
    }
    HttpResponse<byte[]> response;
    try {
      response =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(Duration.ofSeconds(5))
              .build()
              .send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new CommandFailure(ExitCodes.UNREACHABLE, "No server answers at " + url + ": " + e);
    }
    report(response);
    return response.statusCode() < 300 ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private void report(HttpResponse<byte[]> response) {
    String answer = new String(response.body(), StandardCharsets.UTF_8);
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("url", String.valueOf(url));
    view.put("id", id);
    view.put("status", response.statusCode());
    view.put("answer", answer);
    output.print(
        view, out -> out.printf("%s answered %d %s%n", url, response.statusCode(), answer));
  }
}
