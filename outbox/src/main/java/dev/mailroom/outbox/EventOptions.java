package dev.mailroom.outbox;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.outbox.spi.OutboxMessage;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Options of one event. Immutable and thread-safe, so that one object can serve many events. */
public final class EventOptions {
  private static final EventOptions DEFAULTS = new EventOptions(WriteOptions.defaults(), null);

  private final WriteOptions write;
  private final @Nullable String topic;

  private EventOptions(WriteOptions write, @Nullable String topic) {
    this.write = write;
    this.topic = topic;
  }

  /** No option is set. */
  public static EventOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option set. */
  public static Builder builder() {
    return new Builder(WriteOptions.builder(), null);
  }

  /** Options for reuse: {@code EventOptions.of(options -> options.topic("orders"))}. */
  public static EventOptions of(Consumer<Builder> options) {
    Builder builder = builder();
    options.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(write.toBuilder(), topic);
  }

  WriteOptions write() {
    return write;
  }

  @Nullable String topic() {
    return topic;
  }

  /** Sets options of one event; refuses at once what could not be stored. Not thread-safe. */
  public static final class Builder {
    private final WriteOptions.Builder write;
    private @Nullable String topic;

    private Builder(WriteOptions.Builder write, @Nullable String topic) {
      this.write = write;
      this.topic = topic;
    }

    /** The event's own id: adding the same id twice is a duplicate. */
    public Builder messageId(UUID value) {
      write.messageId(value);
      return this;
    }

    /** Where it is published; what that means depends on the dispatcher. Not blank. */
    public Builder topic(String value) {
      topic = Limits.requireName("topic", value);
      write.header(OutboxMessage.TOPIC_HEADER, topic);
      return this;
    }

    /**
     * Events with one key (of one tenant) are published in the order they were added. It is the
     * message's group key. Not blank.
     */
    public Builder key(String value) {
      if (value == null || value.isBlank()) {
        throw new InvalidMessageException(
            "The key of an event is "
                + (value == null ? "null" : "blank")
                + ": leave it out for an event that needs no order.");
      }
      write.groupKey(Limits.requireName("key", value));
      return this;
    }

    /** Not published before this time by the store's clock. */
    public Builder visibleAfter(Instant value) {
      write.visibleAfter(value);
      return this;
    }

    /** Not published before this much time has passed by the store's clock; not negative. */
    public Builder delay(Duration value) {
      write.delay(value);
      return this;
    }

    /** The conversation that the event is part of. */
    public Builder correlationId(String value) {
      write.correlationId(Limits.requireName("correlation id", value));
      return this;
    }

    /** The message or request that caused the event. */
    public Builder causationId(String value) {
      write.causationId(Limits.requireName("causation id", value));
      return this;
    }

    /** The tenant that the event belongs to. */
    public Builder tenant(String value) {
      write.tenant(Limits.requireName("tenant", value));
      return this;
    }

    /** Adds a header, published with the event. */
    public Builder header(String name, String value) {
      if (Limits.requireName("header name", name)
          .toLowerCase(Locale.ROOT)
          .startsWith(OutboxMessage.RESERVED)) {
        throw new InvalidMessageException(
            "The header '"
                + name
                + "' begins with '"
                + OutboxMessage.RESERVED
                + "', which is for the outbox itself: choose another name.");
      }
      write.header(name, value);
      return this;
    }

    /** The generic type under which the event is written. */
    public Builder type(TypeReference<?> value) {
      write.type(value);
      return this;
    }

    /**
     * Joins this transaction: published only after its commit; a rollback leaves nothing. Without
     * it the event joins the calling thread's transaction, where the mailroom knows it.
     */
    public Builder in(Transaction value) {
      write.in(value);
      return this;
    }

    /** The options. */
    public EventOptions build() {
      return new EventOptions(write.build(), topic);
    }
  }
}
