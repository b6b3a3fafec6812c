package dev.mailroom.server.config;

import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The typed options of the server. Each component's meaning is in {@link KnownSettings}.
 *
 * @param listen where it listens
 * @param store where messages live
 * @param access the API keys and the access to metrics
 * @param limits what one request may take
 * @param log how it logs
 * @param lease how long a killed process seems to be at work
 * @param grace how long work may go on at a stop
 * @param diagnostics whether the endpoints for measurements answer
 * @param webhooks how events of all sources are delivered
 * @param sources the senders of webhooks
 * @param inboxes the inboxes of the API
 * @param targets where messages go, by name
 */
public record ServerOptions(
    Listen listen,
    StoreOptions store,
    Access access,
    RequestLimits limits,
    Log log,
    Duration lease,
    Duration grace,
    boolean diagnostics,
    WebhookOptions webhooks,
    List<SourceOptions> sources,
    List<InboxSettings> inboxes,
    Map<String, TargetOptions> targets) {

  /** Copies what can change. */
  public ServerOptions {
    sources = List.copyOf(sources);
    inboxes = List.copyOf(inboxes);
    targets = Map.copyOf(targets);
  }

  /** Where the server listens. */
  public record Listen(String address, int port) {}

  /** Where messages live. */
  public record StoreOptions(
      String url,
      @Nullable String user,
      @Nullable SecretText password,
      @Nullable String schema,
      int connections,
      Duration timeout,
      boolean migrate) {

    /** Whether it is a file of this process. */
    public boolean isEmbedded() {
      return url.startsWith("jdbc:sqlite:");
    }

    /** The URL without anything that could be a password. */
    public String shown() {
      return Redaction.of(url).replaceFirst("\\?.*$", "").replaceFirst("//[^/@]*@", "//");
    }

    @Override
    public String toString() {
      return "StoreOptions[" + shown() + "]";
    }
  }

  /** The named API keys, and whether the metrics are public. */
  public record Access(Map<String, SecretText> keys, boolean openMetrics) {}

  /** What one request may take, and how many there may be. */
  public record RequestLimits(
      int body,
      @Nullable Integer bodies,
      int headers,
      Duration headerTime,
      Duration requestTime,
      int connections,
      int threads) {}

  /** How the server logs. */
  public record Log(String format, String level) {}

  /** How events of all sources are delivered; without a concurrency, as the targets need it. */
  public record WebhookOptions(
      @Nullable Integer concurrency,
      @Nullable Duration history,
      @Nullable Duration deadLetterLifetime) {}

  /** A sender of webhooks. */
  public record SourceOptions(
      String name,
      String provider,
      List<SourceSecret> secrets,
      @Nullable String path,
      @Nullable String publicUrl,
      @Nullable Duration window,
      @Nullable String tenant,
      @Nullable SecretText verifyToken,
      @Nullable Hmac hmac,
      @Nullable Integer concurrency,
      List<String> targets) {

    /** The same with this secret and no other. */
    public SourceOptions signedWith(SecretText secret) {
      return new SourceOptions(
          name,
          provider,
          List.of(new SourceSecret("given", secret, null)),
          path,
          publicUrl,
          window,
          tenant,
          verifyToken,
          hmac,
          concurrency,
          targets);
    }
  }

  /** How a sender signs that is not built in. */
  public record Hmac(
      String header,
      @Nullable String prefix,
      String algorithm,
      String encoding,
      String keyEncoding,
      @Nullable String content,
      @Nullable String timestampHeader,
      List<String> type,
      List<String> id,
      List<String> entity) {}

  /** One of a source's live secrets. */
  public record SourceSecret(String label, SecretText value, @Nullable Instant expires) {}

  /** An inbox of the API. */
  public record InboxSettings(
      String name,
      @Nullable String target,
      Ordering ordering,
      int concurrency,
      @Nullable Duration history,
      @Nullable Duration deadLetterLifetime,
      Duration deduplicationWindow) {}

  /** What every target has, and what it is. */
  public record TargetOptions(
      String name,
      List<String> types,
      RetryPolicy retry,
      Duration timeout,
      int concurrency,
      Breaker breaker,
      Kind kind) {

    /** When the breaker opens, and for how long. */
    public record Breaker(int failures, Duration firstPause, Duration longestPause) {}

    /** Whether deliveries take time, and can fail. */
    public boolean makesCalls() {
      return !(kind instanceof Kind.LogLine);
    }
  }

  /** What a target does with a message. */
  public sealed interface Kind {

    /** Writes a line to the log. */
    record LogLine(boolean payload) implements Kind {}

    /** Posts to a URL. */
    record Post(
        String url,
        List<SecretText> secrets,
        @Nullable String topic,
        boolean anyAddress,
        boolean deadOnRejection)
        implements Kind {}

    /** Runs a program. */
    record Program(List<String> command) implements Kind {}
  }
}
