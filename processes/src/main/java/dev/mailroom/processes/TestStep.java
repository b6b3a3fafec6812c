package dev.mailroom.processes;

import dev.mailroom.MessageContract;
import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Payload;
import dev.mailroom.test.TestDelivery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * For tests: runs the steps of a process directly, without a mailroom and a store. Needs {@code
 * mailroom-test} on the class path.
 *
 * <pre>{@code
 * TestStep<Order> step = TestStep.starting("4711", new Order("4711", 0));
 * step.run(process::place, new OrderPlaced("4711"));
 * step.run(process::pay, new OrderPaid("4711"));
 * assertEquals(List.of("4711 is shipped"), step.sent("mail"));
 * assertEquals(ProcessStatus.COMPLETED, step.status());
 * }</pre>
 *
 * <p>It is one instance: a step starts with the state, the timeouts and the compensations that the
 * step before has left. A step that throws leaves nothing, as in a mailroom. What depends on a
 * mailroom is not checked: contracts, names of inboxes, durability, how many timeouts and
 * compensations an instance may have. Not thread-safe.
 *
 * @param <S> the process's state
 */
public final class TestStep<S> {
  private static final Contract UNNAMED = new Contract("test.payload", 1);

  private final String key;
  private S state;
  private boolean isNew;
  private RecordedEffects effects;

  private TestStep(String key, S state, boolean isNew) {
    this.key = Limits.requireName("process key", key);
    this.state = Objects.requireNonNull(state, "state");
    this.isNew = isNew;
    this.effects = new RecordedEffects(key, Map.of(), List.of());
  }

  /**
   * A timeout that a step requested.
   *
   * @param name its name
   * @param due when the instance gets the message
   * @param message the message
   */
  public record RequestedTimeout(String name, Instant due, Object message) {
    /** Refuses null. */
    public RequestedTimeout {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(due, "due");
      Objects.requireNonNull(message, "message");
    }
  }

  /** An instance whose first step comes next: {@link Step#isNew} is true in it. */
  public static <S> TestStep<S> starting(String key, S initial) {
    return new TestStep<>(key, initial, true);
  }

  /** A running instance in this state, without timeouts and compensations. */
  public static <S> TestStep<S> running(String key, S state) {
    return new TestStep<>(key, state, false);
  }

  /** Runs a step for a message that is delivered at {@link dev.mailroom.test.ManualTime#START}. */
  public <M> S run(StepHandler<S, M> handler, M message) throws Exception {
    return run(handler, message, options -> {});
  }

  /**
   * Runs a step for a message that is delivered with options: {@code step.run(process::pay, paid,
   * options -> options.tenant("acme").time(tomorrow))}.
   *
   * @return the new state
   * @throws IllegalStateException if an earlier step has ended the instance
   * @throws NullPointerException if the step returns no state
   * @throws Exception from the step; the instance is then as it was before
   */
  public <M> S run(StepHandler<S, M> handler, M message, Consumer<TestDelivery.Builder> delivery)
      throws Exception {
    requireRunning();
    return run(handler, message, delivery, effects.next());
  }

  /**
   * Runs a step for a timeout that an earlier step requested, at the time it is due.
   *
   * @return the new state
   * @throws IllegalArgumentException if no timeout of that name waits
   * @throws IllegalStateException if an earlier step has ended the instance
   * @throws Exception from the step; the instance is then as it was before
   */
  public <M> S fire(String timeout, StepHandler<S, M> handler, M message) throws Exception {
    requireRunning();
    RecordedEffects next = effects.next();
    Instant due = next.fire(timeout);
    if (due == null) {
      throw new IllegalArgumentException(
          "No timeout is named '"
              + timeout
              + "'; pending timeouts are "
              + timeouts().keySet()
              + ".");
    }
    return run(
        handler, message, options -> options.time(due).header(StepCommit.TIMEOUT, timeout), next);
  }

  private <M> S run(
      StepHandler<S, M> handler,
      M message,
      Consumer<TestDelivery.Builder> options,
      RecordedEffects next)
      throws Exception {
    TestDelivery<Payload> delivery =
        TestDelivery.of(stored(message), options.andThen(builder -> builder.groupKey(key)));
    Step<S> step = new Step<>(delivery, key, state, isNew, next);
    state = Objects.requireNonNull(handler.handle(step, message), "the step's new state");
    isNew = false;
    effects = next;
    return state;
  }

  /** The message without bytes: a step gets it decoded, and looks at the delivery for the rest. */
  private static Payload stored(Object message) {
    MessageContract named = message.getClass().getAnnotation(MessageContract.class);
    return new Payload(
        named == null ? UNNAMED : new Contract(named.name(), named.version()),
        "application/octet-stream",
        new byte[0]);
  }

  private void requireRunning() {
    if (status() != ProcessStatus.RUNNING) {
      throw new IllegalStateException(
          "The process of '" + key + "' is " + status() + ": it gets no more messages.");
    }
  }

  /** The state after the last step. */
  public S state() {
    return state;
  }

  /** Whether the last step has completed the instance or failed it. */
  public ProcessStatus status() {
    return effects.status();
  }

  /** Why the last step failed the instance; empty if it did not. */
  public Optional<String> failure() {
    return Optional.ofNullable(effects.failure());
  }

  /**
   * What the last step sent, the first one first; the compensations too, if it failed the instance.
   */
  public List<AddressedMessage> sent() {
    return effects.sent();
  }

  /** The payloads that the last step sent to this inbox, the first one first. */
  public List<Object> sent(String inbox) {
    return sent().stream()
        .filter(message -> message.inbox().equals(inbox))
        .map(message -> message.message().payload())
        .toList();
  }

  /** The timeouts that the last step requested, without those that it cancelled itself. */
  public List<RequestedTimeout> requestedTimeouts() {
    return effects.requested();
  }

  /** The names of earlier timeouts that the last step cancelled, replaced or ended. */
  public List<String> cancelledTimeouts() {
    return effects.cancelled();
  }

  /** The timeouts that wait after the last step, with the times they are due. A copy. */
  public Map<String, Instant> timeouts() {
    return effects.waiting();
  }

  /** What is written, the last one first, if a later step fails the instance. */
  public List<AddressedMessage> compensations() {
    return effects.compensations();
  }

  @Override
  public String toString() {
    return "TestStep[" + key + ", " + status() + ", " + state + "]";
  }
}
