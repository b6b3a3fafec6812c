package dev.mailroom.storetestkit;

import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Envelope;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.NewMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A builder of test messages; see {@link TestMessages#message}. Every part has a default. Not
 * thread-safe.
 */
public final class MessageDraft {
  private UUID id = UUID.randomUUID();
  private Contract contract = new Contract("test.message", 1);
  private String contentType = "text/plain";
  private byte[] bytes;
  private @Nullable String tenant;
  private @Nullable String group;
  private @Nullable String key;
  private @Nullable String collapse;
  private Trace trace = Trace.NONE;
  private final Map<String, String> headers = new HashMap<>();
  private Due due = Due.NOW;
  private @Nullable Duration lifetime;
  private @Nullable Instant receivedAt;
  private boolean strict;

  MessageDraft(String label) {
    this.bytes = label.getBytes(StandardCharsets.UTF_8);
  }

  /** The id that the message has; unless one is given, a random one. */
  public UUID id() {
    return id;
  }

  /** The caller's own id. */
  public MessageDraft id(UUID other) {
    this.id = other;
    return this;
  }

  /** What the payload is; version 1 of {@code test.message} unless given. */
  public MessageDraft contract(String name, int version) {
    this.contract = new Contract(name, version);
    return this;
  }

  /** Other bytes than the label's. */
  public MessageDraft bytes(String mediaType, byte[] other) {
    this.contentType = mediaType;
    this.bytes = other;
    return this;
  }

  /** The tenant. */
  public MessageDraft tenant(String name) {
    this.tenant = name;
    return this;
  }

  /** The group in which it is handled. */
  public MessageDraft group(String groupKey) {
    this.group = groupKey;
    return this;
  }

  /** The deduplication key. */
  public MessageDraft key(String deduplicationKey) {
    this.key = deduplicationKey;
    return this;
  }

  /** The collapse key. */
  public MessageDraft collapse(String collapseKey) {
    this.collapse = collapseKey;
    return this;
  }

  /** The correlation and trace context. */
  public MessageDraft trace(Trace context) {
    this.trace = context;
    return this;
  }

  /** One more header. */
  public MessageDraft header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Visible this long after the store accepts it. */
  public MessageDraft delay(Duration delay) {
    this.due = Due.after(delay);
    return this;
  }

  /** Visible at that time. */
  public MessageDraft at(Instant time) {
    this.due = Due.at(time);
    return this;
  }

  /** How long it may still be handled. */
  public MessageDraft lifetime(Duration duration) {
    this.lifetime = duration;
    return this;
  }

  /** When the application says that it came in. */
  public MessageDraft receivedAt(Instant time) {
    this.receivedAt = time;
    return this;
  }

  /** A duplicate with other content is an error. */
  public MessageDraft strict() {
    this.strict = true;
    return this;
  }

  /** The message; every call gives an equal one. */
  public NewMessage build() {
    Envelope envelope =
        new Envelope(
            id,
            new Payload(contract, contentType, bytes),
            new Routing(tenant, group, key, collapse),
            trace,
            headers);
    return new NewMessage(envelope, new NewMessage.Schedule(due, lifetime, receivedAt), strict);
  }
}
