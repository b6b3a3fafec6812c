package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.Payload;
import dev.mailroom.messages.WriteOptions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A process instance in the hands of one of its steps, and what the step can ask for. All of it is
 * stored with the instance's new state and the completion of the message, or none of it.
 *
 * <p>For the thread that runs the step, until that returns.
 *
 * @param <S> the process's state
 */
public final class Step<S> {
  private final Delivery<Payload> delivery;
  private final String key;
  private final S state;
  private final boolean isNew;
  private final Plan plan;

  Step(Delivery<Payload> delivery, String key, S state, boolean isNew, Plan plan) {
    this.delivery = delivery;
    this.key = key;
    this.state = state;
    this.isNew = isNew;
    this.plan = plan;
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
    send(inbox, payload, caused());
  }

  /** Writes a message to an inbox of the same store, with these options and no others. */
  public void send(String inbox, Object payload, WriteOptions options) {
    send(new AddressedMessage(inbox, new Outgoing(payload, options)));
  }

  /** Stores what a facade would have stored at once, such as a command or an event. */
  public void send(AddressedMessage message) {
    plan.send(message);
  }

  /**
   * Asks for a message of this process later on. One of the same name that has not come yet is
   * taken back.
   *
   * @param name what it is for; to cancel it by
   * @param after how long from now, by the store's clock
   * @param message what comes then: of a type that this process has a step for
   */
  public void timeout(String name, Duration after, Object message) {
    if (after.isNegative()) {
      throw new IllegalArgumentException(
          "Timeout '" + name + "' of " + plan + " is " + after + " ahead: it cannot be past.");
    }
    plan.timeout(name, now().plus(after), message, caused().groupKey(key).delay(after));
  }

  /** The same at a time, by the store's clock; at once if that is past. */
  public void timeout(String name, Instant due, Object message) {
    plan.timeout(name, due, message, caused().groupKey(key).visibleAfter(due));
  }

  /** Takes a timeout back; nothing if there is none of that name. */
  public void cancelTimeout(String name) {
    plan.cancelTimeout(Limits.requireName("timeout name", name));
  }

  /**
   * Remembers how to undo what this step does: a command, written to an inbox if the process is
   * {@linkplain #giveUp given up}. What was done last is undone first.
   *
   * @param inbox an inbox of the same store that orders messages with a group key
   */
  public void undoWith(String inbox, Object command) {
    plan.undoWith(inbox, command);
  }

  /** The process is done: its timeouts are taken back with it. */
  public void complete() {
    plan.end(ProcessStatus.COMPLETED, "");
  }

  /**
   * The process has failed: the commands that undo its steps are written in reverse order, and its
   * timeouts are taken back.
   *
   * @param reason why, for people
   */
  public void giveUp(String reason) {
    plan.end(ProcessStatus.FAILED, reason);
  }

  private WriteOptions caused() {
    WriteOptions options = WriteOptions.builder().causationId(delivery.id().toString()).build();
    options = with(options, delivery.message().routing().tenant());
    String correlation = delivery.message().envelope().trace().correlationId();
    return correlation == null ? options : options.correlationId(correlation);
  }

  private static WriteOptions with(WriteOptions options, @Nullable String tenant) {
    return tenant == null ? options : options.tenant(tenant);
  }
}
