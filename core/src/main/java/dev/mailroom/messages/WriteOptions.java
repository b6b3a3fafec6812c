package dev.mailroom.messages;

import dev.mailroom.errors.InvalidOptionsException;
import dev.mailroom.errors.Violations;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one write. Immutable and thread-safe, so that one object can serve many writes. An
 * option that is set here takes precedence over what the payload says of itself.
 */
public final class WriteOptions {
  private static final WriteOptions DEFAULTS = new WriteOptions(new Builder());

  private final @Nullable UUID messageId;
  private final @Nullable TypeReference<?> type;
  private final @Nullable String tenant;
  private final @Nullable String groupKey;
  private final @Nullable String deduplicationKey;
  private final @Nullable String collapseKey;
  private final @Nullable String correlationId;
  private final @Nullable String causationId;
  private final @Nullable Instant receivedAt;
  private final @Nullable Duration lifetime;
  private final @Nullable Transaction transaction;
  private final Due due;
  private final boolean strict;
  private final boolean groupKeySet;
  private final Map<String, String> headers;

  private WriteOptions(Builder builder) {
    messageId = builder.messageId;
    type = builder.type;
    tenant = builder.tenant;
    groupKey = builder.groupKey;
    deduplicationKey = builder.deduplicationKey;
    collapseKey = builder.collapseKey;
    correlationId = builder.correlationId;
    causationId = builder.causationId;
    receivedAt = builder.receivedAt;
    lifetime = builder.lifetime;
    transaction = builder.transaction;
    due = builder.due;
    strict = builder.strict;
    groupKeySet = builder.groupKeySet;
    headers = builder.headers.isEmpty() ? Map.of() : Map.copyOf(builder.headers);
  }

  /** No option is set. */
  public static WriteOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code WriteOptions.of(options -> options.tenant("acme"))}. */
  public static WriteOptions of(Consumer<Builder> settings) {
    Builder builder = new Builder();
    settings.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The caller's own message id, or null if Mailroom makes one. */
  public @Nullable UUID messageId() {
    return messageId;
  }

  /** The generic type under which the payload is written, or null for its class. */
  public @Nullable TypeReference<?> type() {
    return type;
  }

  /** The tenant, or null. */
  public @Nullable String tenant() {
    return tenant;
  }

  /** The group key, or null. */
  public @Nullable String groupKey() {
    return groupKey;
  }

  /** Whether a group key was set, even to null. */
  public boolean isGroupKeySet() {
    return groupKeySet;
  }

  /** The deduplication key, or null. */
  public @Nullable String deduplicationKey() {
    return deduplicationKey;
  }

  /** The collapse key, or null. */
  public @Nullable String collapseKey() {
    return collapseKey;
  }

  /** The correlation id, or null. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  /** The causation id, or null. */
  public @Nullable String causationId() {
    return causationId;
  }

  /** When the message was received, or null. */
  public @Nullable Instant receivedAt() {
    return receivedAt;
  }

  /** The lifetime, or null if the message does not expire. */
  public @Nullable Duration lifetime() {
    return lifetime;
  }

  /** The transaction to join, or null for the calling thread's, if there is one. */
  public @Nullable Transaction transaction() {
    return transaction;
  }

  /** When the message becomes visible. */
  public Due due() {
    return due;
  }

  /** Whether a duplicate with other content is an error. */
  public boolean isStrict() {
    return strict;
  }

  /** The headers. */
  public Map<String, String> headers() {
    return headers;
  }

  /** Sets options of one write. Not thread-safe. */
  public static final class Builder {
    private @Nullable UUID messageId;
    private @Nullable TypeReference<?> type;
    private @Nullable String tenant;
    private @Nullable String groupKey;
    private @Nullable String deduplicationKey;
    private @Nullable String collapseKey;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable Instant receivedAt;
    private @Nullable Duration lifetime;
    private @Nullable Transaction transaction;
    private Due due = Due.NOW;
    private boolean strict;
    private boolean groupKeySet;
    private Map<String, String> headers = Map.of();

    private Builder() {}

    private Builder(WriteOptions options) {
      messageId = options.messageId;
      type = options.type;
      tenant = options.tenant;
      groupKey = options.groupKey;
      deduplicationKey = options.deduplicationKey;
      collapseKey = options.collapseKey;
      correlationId = options.correlationId;
      causationId = options.causationId;
      receivedAt = options.receivedAt;
      lifetime = options.lifetime;
      transaction = options.transaction;
      due = options.due;
      strict = options.strict;
      groupKeySet = options.groupKeySet;
      headers = options.headers;
    }

    /** The caller's own message id: writing the same id twice is a duplicate. */
    public Builder messageId(@Nullable UUID value) {
      messageId = value;
      return this;
    }

    /** The generic type under which the payload is written. */
    public Builder type(@Nullable TypeReference<?> value) {
      type = value;
      return this;
    }

    /** The tenant that the message belongs to. */
    public Builder tenant(@Nullable String value) {
      tenant = value;
      return this;
    }

    /** The group whose messages are handled one after another. */
    public Builder groupKey(@Nullable String value) {
      groupKey = value;
      groupKeySet = true;
      return this;
    }

    /** A second message with this key within the deduplication window is a duplicate. */
    public Builder deduplicationKey(@Nullable String value) {
      deduplicationKey = value;
      return this;
    }

    /** A newer message with this key replaces older messages that are not leased. */
    public Builder collapseKey(@Nullable String value) {
      collapseKey = value;
      return this;
    }

    /** The conversation that the message is part of. */
    public Builder correlationId(@Nullable String value) {
      correlationId = value;
      return this;
    }

    /** The message or request that caused this message. */
    public Builder causationId(@Nullable String value) {
      causationId = value;
      return this;
    }

    /** When the message was received; for display and age, never for order. */
    public Builder receivedAt(@Nullable Instant value) {
      receivedAt = value;
      return this;
    }

    /** Not handled before this time by the store's clock. */
    public Builder visibleAfter(Instant value) {
      return due(Due.at(value));
    }

    /**
     * Not handled before this much time has passed by the store's clock.
     *
     * @throws InvalidOptionsException if it is negative
     */
    public Builder delay(Duration value) {
      return due(Due.after(value));
    }

    /** When the message becomes visible. */
    public Builder due(Due value) {
      due = Objects.requireNonNull(value, "due");
      return this;
    }

    /**
     * Dead-lettered as expired instead of handled when this much time has passed; positive.
     *
     * @throws InvalidOptionsException if it is zero or negative
     */
    public Builder lifetime(@Nullable Duration value) {
      Violations violations = new Violations("WriteOptions");
      violations.positiveOrNull("lifetime", value);
      violations.raise();
      lifetime = value;
      return this;
    }

    /** Adds a header. */
    public Builder header(String name, String value) {
      return headers(Map.of(name, value));
    }

    /** Adds headers. */
    public Builder headers(Map<String, String> values) {
      Map<String, String> more = new HashMap<>(headers);
      more.putAll(values);
      headers = more;
      return this;
    }

    /** Makes a duplicate whose content differs an error instead of a quiet duplicate. */
    public Builder strict() {
      strict = true;
      return this;
    }

    /** Joins this transaction: visible only after its commit; a rollback leaves nothing. */
    public Builder in(@Nullable Transaction value) {
      transaction = value;
      return this;
    }

    /** The options. */
    public WriteOptions build() {
      return new WriteOptions(this);
    }
  }
}
