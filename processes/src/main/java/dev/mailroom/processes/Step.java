package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A process instance during one of its steps, and what the step can ask for. All of it is stored
 * with the instance's new state and the completion of the message, or none of it.
 *
 * <p>Confined to the thread that runs the step, until the step returns. A test makes one with
 * {@link TestStep}.
 *
 * @param <S> the process's state
 */
public final class Step<S> {
  private final Delivery<Payload> delivery;
  private final String key;
  private final S state;
  private final boolean isNew;
  private final StepEffects effects;

  Step(Delivery<Payload> delivery, String key, S state, boolean isNew, StepEffects effects) {
    this.delivery = delivery;
    this.key = key;
    this.state = state;
    this.isNew = isNew;
    this.effects = effects;
  }

  /** The instance's key. */
  public String key() {
    return key;
  }

  /** Its state before this step; the initial one if this is its first. */
  public S state() {
    return state;
  }

  /** Whether this is its first step. */
  public boolean isNew() {
    return isNew;
  }

  /** The message that causes the step, as it is stored: tenant, headers, tracing, counts. */
  public Delivery<Payload> delivery() {
    return delivery;
  }

  /** The time of the step, by the store's clock: when its message was leased. */
  public Instant now() {
    return delivery.leasedAt();
  }

  /**
   * Writes a message to an inbox of the same store: with the tenant and the correlation of the
   * message that causes the step, and that message as its cause.
   */
  public void send(String inbox, Object payload) {
    send(inbox, payload, caused().build());
  }

  /**
   * Writes a message to an inbox of the same store, with options on top of those of {@link
   * #send(String, Object)}: {@code step.send("mail", text, options -> options.groupKey(id))}.
   */
  public void send(String inbox, Object payload, Consumer<WriteOptions.Builder> options) {
    WriteOptions.Builder builder = caused();
    options.accept(builder);
    send(inbox, payload, builder.build());
  }

  /** Writes a message to an inbox of the same store, with these options and no others. */
  public void send(String inbox, Object payload, WriteOptions options) {
    send(new AddressedMessage(inbox, new Outgoing(payload, options)));
  }

  /** Writes a message of another facade, such as a command, an event or a timeout. */
  public void send(AddressedMessage message) {
    effects.send(message);
  }

  /**
   * Requests a message to this instance after a delay. It replaces a waiting timeout of the same
   * name.
   *
   * @param name its name, to cancel it by
   * @param after how long from now, by the store's clock; not negative
   * @param message the message: of a type that this process has a step for
   * @throws dev.mailroom.errors.InvalidMessageException if the delay is negative, or the process
   *     has no step for the message
   * @throws WeakDurabilityException if the store may lose it, and that was not {@linkplain
   *     ProcessesBuilder#acceptWeakDurability accepted}
   */
  public void timeout(String name, Duration after, Object message) {
    if (after.isNegative()) {
      throw new InvalidMessageException(
          "The delay of timeout '"
              + name
              + "' of "
              + effects
              + " is "
              + after
              + ": it must not be negative.");
    }
    effects.timeout(name, now().plus(after), message, caused().groupKey(key).delay(after));
  }

  /**
   * Requests a message to this instance at a time, by the store's clock; at once if that has
   * passed. It replaces a waiting timeout of the same name.
   *
   * @throws dev.mailroom.errors.InvalidMessageException if the process has no step for the message
   * @throws WeakDurabilityException if the store may lose it, and that was not {@linkplain
   *     ProcessesBuilder#acceptWeakDurability accepted}
   */
  public void timeout(String name, Instant due, Object message) {
    effects.timeout(name, due, message, caused().groupKey(key).visibleAfter(due));
  }

  /** Cancels a timeout; a no-op if none of that name waits. */
  public void cancelTimeout(String name) {
    effects.cancelTimeout(Limits.requireName("timeout name", name));
  }

  /**
   * Adds a compensation: a command that undoes what this step does, written to an inbox if the
   * process {@linkplain #fail fails}. Compensations are written in reverse order.
   *
   * @param inbox an inbox of the same store that orders messages with a group key
   */
  public void compensateWith(String inbox, Object command) {
    effects.compensateWith(inbox, command);
  }

  /** Completes the process and cancels its timeouts. */
  public void complete() {
    effects.end(ProcessStatus.COMPLETED, "");
  }

  /**
   * Fails the process: its compensations are written in reverse order, and its timeouts are
   * cancelled.
   *
   * @param reason why, for people
   */
  public void fail(String reason) {
    effects.end(ProcessStatus.FAILED, reason);
  }

  private WriteOptions.Builder caused() {
    return WriteOptions.builder()
        .causationId(delivery.id().toString())
        .tenant(delivery.message().routing().tenant())
        .correlationId(delivery.message().envelope().trace().correlationId());
  }
}
