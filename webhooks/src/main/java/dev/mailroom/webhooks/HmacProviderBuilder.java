package dev.mailroom.webhooks;

import dev.mailroom.errors.Violations;
import dev.mailroom.webhooks.internal.GenericHmac;
import dev.mailroom.webhooks.spi.Acknowledgement;
import dev.mailroom.webhooks.spi.Provider;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds a provider for a sender that signs with a shared secret and puts the signature in a
 * header. By default: HMAC-SHA256 over the body, in hexadecimal digits, keyed by the secret's text.
 *
 * <p>A location is the name of a header or, with {@code $.} before it, a path in the JSON of the
 * body: {@code "X-Event"}, {@code "$.data.id"}. Of several locations the first one with a value is
 * used.
 *
 * <p>Not thread-safe.
 */
public final class HmacProviderBuilder {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  private final String name;
  private String header = "";
  private String prefix = "";
  private Algorithm algorithm = Algorithm.SHA256;
  private Encoding encoding = Encoding.HEX;
  private Encoding keyEncoding = Encoding.TEXT;
  private @Nullable String content;
  private @Nullable String timestampHeader;
  private TimeFormat timeFormat = TimeFormat.SECONDS;
  private Duration tolerance = GenericHmac.DEFAULT_TOLERANCE;
  private List<String> type = List.of();
  private List<String> id = List.of();
  private List<String> entity = List.of();
  private List<String> tenant = List.of();
  private List<String> occurredAt = List.of();
  private @Nullable String items;
  private Acknowledgement acknowledgement = Acknowledgement.defaults();

  HmacProviderBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /** Which hash function is keyed. */
  public enum Algorithm {
    /** Only for senders that support nothing else. */
    SHA1,
    /** What most use. */
    SHA256,
    /** Longer. */
    SHA384,
    /** The longest. */
    SHA512
  }

  /** How bytes are written. */
  public enum Encoding {
    /** Two digits for each byte. */
    HEX,
    /** Of the usual alphabet. */
    BASE64,
    /** As they are, in UTF-8; for keys only. */
    TEXT
  }

  /** How a time is written. */
  public enum TimeFormat {
    /** Seconds since 1970. */
    SECONDS,
    /** Milliseconds since 1970. */
    MILLISECONDS,
    /** As in RFC 3339: {@code 2026-01-01T00:00:00Z}. */
    RFC_3339
  }

  /** The header that the signature is in. There is no default. */
  public HmacProviderBuilder header(String value) {
    this.header = value;
    return this;
  }

  /** What stands before the signature in its header, such as {@code sha256=}. */
  public HmacProviderBuilder prefix(String value) {
    this.prefix = value;
    return this;
  }

  /** The hash function; SHA-256 by default. */
  public HmacProviderBuilder algorithm(Algorithm value) {
    this.algorithm = value;
    return this;
  }

  /** How the signature is written; in hexadecimal digits by default. */
  public HmacProviderBuilder encoding(Encoding value) {
    this.encoding = value;
    return this;
  }

  /** How the secret is written; as it is by default. */
  public HmacProviderBuilder keyEncoding(Encoding value) {
    this.keyEncoding = value;
    return this;
  }

  /**
   * What is signed, with {@code {body}}, {@code {timestamp}}, {@code {url}} and {@code {method}} as
   * placeholders. The body by default, or {@code {timestamp}.{body}} if there is a time.
   */
  public HmacProviderBuilder content(String template) {
    this.content = template;
    return this;
  }

  /** The header that says when the request was made; requests from other times are refused. */
  public HmacProviderBuilder timestampHeader(String value, TimeFormat format) {
    this.timestampHeader = value;
    this.timeFormat = format;
    return this;
  }

  /** How far that time may be from ours, in both directions; 5 minutes by default. */
  public HmacProviderBuilder tolerance(Duration value) {
    this.tolerance = value;
    return this;
  }

  /** The locations of the event's type. */
  public HmacProviderBuilder type(String... locations) {
    this.type = List.of(locations);
    return this;
  }

  /** The locations of the event's id. Default: none; the hash of the body identifies the event. */
  public HmacProviderBuilder id(String... locations) {
    this.id = List.of(locations);
    return this;
  }

  /** The locations of the entity the event is about; events of one entity are handled in order. */
  public HmacProviderBuilder entity(String... locations) {
    this.entity = List.of(locations);
    return this;
  }

  /** The locations of the tenant. */
  public HmacProviderBuilder tenant(String... locations) {
    this.tenant = List.of(locations);
    return this;
  }

  /** The locations of the time of the event. */
  public HmacProviderBuilder occurredAt(String... locations) {
    this.occurredAt = List.of(locations);
    return this;
  }

  /**
   * The array whose elements are the events, as {@code $.path}, or {@code $} if the body is one.
   * The other locations are then paths within each element.
   */
  public HmacProviderBuilder items(String path) {
    this.items = path;
    return this;
  }

  /** The response that the sender expects. Default: 202, and 200 for duplicates. */
  public HmacProviderBuilder acknowledgement(Acknowledgement value) {
    this.acknowledgement = value;
    return this;
  }

  /**
   * The provider.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming everything that is wrong
   */
  public Provider build() {
    Violations violations = new Violations("Provider '" + name + "'");
    violations.check(
        NAME.matcher(name).matches(),
        "name",
        name,
        "must be up to 64 small letters, digits, dots, dashes and underscores");
    violations.check(
        !header.isBlank(), "header", "missing", "must name the header of the signature");
    violations.check(
        encoding != Encoding.TEXT, "encoding", encoding, "a signature is HEX or BASE64");
    violations.positive("tolerance", tolerance);
    violations.check(
        items == null || items.equals("$") || items.startsWith("$."),
        "items",
        items,
        "must be '$' or begin with '$.'");
    String template =
        content == null ? (timestampHeader == null ? "{body}" : "{timestamp}.{body}") : content;
    violations.check(template.contains("{body}"), "content", content, "must have the {body} in it");
    violations.check(
        timestampHeader == null || template.contains("{timestamp}"),
        "content",
        content,
        "must contain {timestamp}, or the timestamp is not signed");
    violations.check(
        timestampHeader != null || !template.contains("{timestamp}"),
        "timestampHeader",
        "missing",
        "the content has a {timestamp} in it");
    String wrong = GenericHmac.wrongIn(template);
    violations.check(wrong == null, "content", content, String.valueOf(wrong));
    violations.raise();
    return new GenericHmac(name)
        .signature(header, prefix, algorithm.name(), encoding.name(), keyEncoding.name())
        .content(template)
        .time(timestampHeader, timeFormat.name(), tolerance)
        .facts(List.of(type, id, entity, tenant, occurredAt))
        .items(items)
        .build(acknowledgement);
  }
}
