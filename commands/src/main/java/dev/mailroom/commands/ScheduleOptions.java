package dev.mailroom.commands;

import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.mediator.Command;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of one scheduled command. Immutable and thread-safe, so that one object can serve many
 * commands. An option that is set here takes precedence over what the command says of itself.
 */
public final class ScheduleOptions {
  private static final ScheduleOptions DEFAULTS = new ScheduleOptions(new Builder());

  private final @Nullable String idempotencyKey;
  private final @Nullable String correlationId;
  private final @Nullable String causationId;
  private final @Nullable String tenant;
  private final @Nullable String groupKey;
  private final @Nullable Transaction transaction;
  private final Due due;

  private ScheduleOptions(Builder builder) {
    idempotencyKey = builder.idempotencyKey;
    correlationId = builder.correlationId;
    causationId = builder.causationId;
    tenant = builder.tenant;
    groupKey = builder.groupKey;
    transaction = builder.transaction;
    due = builder.due;
  }

  /** No option is set: the command runs as soon as possible. */
  public static ScheduleOptions defaults() {
    return DEFAULTS;
  }

  /** A builder without any option set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Options for reuse: {@code ScheduleOptions.of(options -> options.tenant("acme"))}. */
  public static ScheduleOptions of(Consumer<Builder> options) {
    Builder builder = new Builder();
    options.accept(builder);
    return builder.build();
  }

  /** A builder that starts with these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** The idempotency key, or null. */
  public @Nullable String idempotencyKey() {
    return idempotencyKey;
  }

  /** The correlation id, or null. */
  public @Nullable String correlationId() {
    return correlationId;
  }

  /** The causation id, or null. */
  public @Nullable String causationId() {
    return causationId;
  }

  /** The tenant, or null. */
  public @Nullable String tenant() {
    return tenant;
  }

  /** The group key, or null. */
  public @Nullable String groupKey() {
    return groupKey;
  }

  /** The transaction to join, or null for the calling thread's, if there is one. */
  public @Nullable Transaction transaction() {
    return transaction;
  }

  /** When the command becomes due. */
  public Due due() {
    return due;
  }

  WriteOptions forWriting(Command command) {
    String key = idempotencyKey;
    if (key == null && command instanceof IdempotentCommand own) {
      key = own.idempotencyKey();
    }
    return WriteOptions.builder()
        .deduplicationKey(key)
        .correlationId(correlationId)
        .causationId(causationId)
        .tenant(tenant)
        .groupKey(groupKey)
        .in(transaction)
        .due(due)
        .build();
  }

  CommandReceipt receipt(Command command, Receipt receipt) {
    return new CommandReceipt(
        receipt.messageId(),
        command.getClass(),
        receipt.contract(),
        receipt.acceptedAt(),
        receipt.status(),
        correlationId,
        causationId,
        tenant);
  }

  /** Refuses a delay that is negative. */
  static Due requireNotNegative(Due due) {
    if (due instanceof Due.After after && after.delay().isNegative()) {
      throw negative(after.delay());
    }
    return due;
  }

  private static InvalidMessageException negative(Duration delay) {
    return new InvalidMessageException(
        "The command's delay is " + delay + ": it must not be negative. Nothing was changed.");
  }

  /** Sets options of one scheduled command. A blank text means none. Not thread-safe. */
  public static final class Builder {
    private @Nullable String idempotencyKey;
    private @Nullable String correlationId;
    private @Nullable String causationId;
    private @Nullable String tenant;
    private @Nullable String groupKey;
    private @Nullable Transaction transaction;
    private Due due = Due.NOW;

    private Builder() {}

    private Builder(ScheduleOptions options) {
      idempotencyKey = options.idempotencyKey;
      correlationId = options.correlationId;
      causationId = options.causationId;
      tenant = options.tenant;
      groupKey = options.groupKey;
      transaction = options.transaction;
      due = options.due;
    }

    /**
     * The deduplication key of the command's message: a second command with this key within the
     * deduplication window is a duplicate and is not stored.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder idempotencyKey(@Nullable String value) {
      idempotencyKey = Limits.key("idempotency key", value);
      return this;
    }

    /**
     * Not run before this much time has passed by the store's clock.
     *
     * @throws InvalidMessageException if the delay is negative
     */
    public Builder delay(Duration value) {
      if (value.isNegative()) {
        throw negative(value);
      }
      due = Due.after(value);
      return this;
    }

    /** Not run before this time by the store's clock. */
    public Builder visibleAfter(Instant value) {
      due = Due.at(value);
      return this;
    }

    /**
     * When the command becomes due: at a time, or after a delay.
     *
     * @throws InvalidMessageException if the delay is negative
     */
    public Builder due(Due value) {
      due = requireNotNegative(value);
      return this;
    }

    /**
     * The conversation that the command is part of.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder correlationId(@Nullable String value) {
      correlationId = Limits.key("correlation id", value);
      return this;
    }

    /**
     * The message or request that caused the command.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder causationId(@Nullable String value) {
      causationId = Limits.key("causation id", value);
      return this;
    }

    /**
     * The tenant that the command belongs to; group keys and idempotency keys are scoped by it.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder tenant(@Nullable String value) {
      tenant = Limits.key("tenant", value);
      return this;
    }

    /**
     * The group whose commands run one after another, in the order in which they become due.
     *
     * @throws InvalidMessageException if it is too long
     */
    public Builder groupKey(@Nullable String value) {
      groupKey = Limits.key("group key", value);
      return this;
    }

    /** Joins this transaction: stored only if it commits. */
    public Builder in(@Nullable Transaction value) {
      transaction = value;
      return this;
    }

    /** The options. */
    public ScheduleOptions build() {
      return new ScheduleOptions(this);
    }
  }
}
