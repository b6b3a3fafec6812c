package dev.mailroom.commands;

import dev.mailroom.mediator.Command;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Receipt;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.transactions.Transaction;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to one scheduled command. Immutable: each method answers a changed copy. Blank
 * texts mean none.
 */
public final class ScheduleOptions {
  /** Nothing particular: as soon as possible. */
  public static final ScheduleOptions NONE =
      new ScheduleOptions(WriteOptions.defaults(), null, null, null, null);

  private final WriteOptions rest;
  private final @Nullable String idempotencyKey;
  private final @Nullable String correlationId;
  private final @Nullable String causationId;
  private final @Nullable String tenant;

  private ScheduleOptions(
      WriteOptions rest,
      @Nullable String idempotencyKey,
      @Nullable String correlationId,
      @Nullable String causationId,
      @Nullable String tenant) {
    this.rest = rest;
    this.idempotencyKey = Limits.key("idempotency key", idempotencyKey);
    this.correlationId = Limits.key("correlation id", correlationId);
    this.causationId = Limits.key("causation id", causationId);
    this.tenant = Limits.key("tenant", tenant);
  }

  private ScheduleOptions with(WriteOptions other) {
    return new ScheduleOptions(other, idempotencyKey, correlationId, causationId, tenant);
  }

  /** A second command with this key within the window is a duplicate. */
  public ScheduleOptions idempotencyKey(String value) {
    return new ScheduleOptions(rest, value, correlationId, causationId, tenant);
  }

  /** Not run before this much time has passed by the store's clock. */
  public ScheduleOptions delay(Duration value) {
    return with(rest.delay(value));
  }

  /** Not run before this time by the store's clock. */
  public ScheduleOptions visibleAfter(Instant value) {
    return with(rest.visibleAfter(value));
  }

  /** The conversation it is part of. */
  public ScheduleOptions correlationId(String value) {
    return new ScheduleOptions(rest, idempotencyKey, value, causationId, tenant);
  }

  /** The message or request that caused it. */
  public ScheduleOptions causationId(String value) {
    return new ScheduleOptions(rest, idempotencyKey, correlationId, value, tenant);
  }

  /** Whose command it is; groups and idempotency keys are scoped by it. */
  public ScheduleOptions tenant(String value) {
    return new ScheduleOptions(rest, idempotencyKey, correlationId, causationId, value);
  }

  /** The group whose commands run one after another, in the order in which they become due. */
  public ScheduleOptions groupKey(String value) {
    return with(rest.groupKey(value));
  }

  /** Joins this transaction: stored only if it commits. */
  public ScheduleOptions in(Transaction value) {
    return with(rest.in(value));
  }

  WriteOptions forWriting(Command command) {
    WriteOptions options = rest;
    String key = idempotencyKey;
    if (key == null && command instanceof IdempotentCommand own) {
      key = own.idempotencyKey();
    }
    if (key != null) {
      options = options.deduplicationKey(key);
    }
    if (correlationId != null) {
      options = options.correlationId(correlationId);
    }
    if (causationId != null) {
      options = options.causationId(causationId);
    }
    return tenant == null ? options : options.tenant(tenant);
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
}
