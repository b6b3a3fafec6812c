package dev.mailroom.processes;

import dev.mailroom.InboxOptions;
import dev.mailroom.InboxOptionsBuilder;
import dev.mailroom.errors.Violations;
import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Store;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Describes {@link Processes} of one type.
 *
 * @param <S> the process's state
 */
public final class ProcessesBuilder<S> {
  /** The most events in the history of one instance: {@value}. */
  public static final int LONGEST_HISTORY = 1_000;

  private final String name;
  private final Class<S> type;
  private final Map<Class<?>, StepDefinition<?, ?>> steps = new LinkedHashMap<>();
  private @Nullable Function<String, S> initial;
  private @Nullable Store store;
  private @Nullable Duration keep;
  private int history;
  private boolean failOnDeadLetter;
  private boolean weakDurability;
  private Consumer<InboxOptionsBuilder> options = builder -> {};

  ProcessesBuilder(String name, Class<S> type) {
    this.name = Limits.requireName("process name", name);
    this.type = type;
  }

  /** Makes the state of a new instance from its key. Required if a message starts one. */
  public ProcessesBuilder<S> initial(Function<String, S> value) {
    initial = value;
    return this;
  }

  /**
   * A step for messages that start an instance if there is none.
   *
   * @param key takes the instance's key from a message
   */
  public <M> ProcessesBuilder<S> starts(
      Class<M> message, Function<M, String> key, StepHandler<S, M> step) {
    return on(message, key, MissingInstance.START, step);
  }

  /**
   * A step for messages that are ignored if there is no instance.
   *
   * @param key takes the instance's key from a message
   */
  public <M> ProcessesBuilder<S> on(
      Class<M> message, Function<M, String> key, StepHandler<S, M> step) {
    return on(message, key, MissingInstance.IGNORE, step);
  }

  /**
   * A step for messages of a type.
   *
   * @param key takes the instance's key from a message
   * @param missing what becomes of a message for which there is no instance
   */
  public <M> ProcessesBuilder<S> on(
      Class<M> message, Function<M, String> key, MissingInstance missing, StepHandler<S, M> step) {
    if (steps.putIfAbsent(message, new StepDefinition<>(message, key, missing, step)) != null) {
      throw new IllegalArgumentException(
          "Process '" + name + "' has two steps for " + message.getName() + ": one is enough.");
    }
    return this;
  }

  /**
   * Fails an instance, with its compensations, when one of its steps throws on its last attempt or
   * throws a permanent error; that message is then no dead letter. Messages that are dead-lettered
   * for crashes, for the timeout of handlers, for their lifetime or because they cannot be decoded
   * do not fail the instance. Default: off; the message is dead-lettered, and the instance
   * continues with the next message.
   */
  public ProcessesBuilder<S> failOnDeadLetter() {
    failOnDeadLetter = true;
    return this;
  }

  /** How many events each instance keeps in its history. Default: none. */
  public ProcessesBuilder<S> history(int events) {
    history = events;
    return this;
  }

  /**
   * Accepts timeouts in a store that may lose what it has acknowledged, such as one in memory.
   * Default: a step that requests a timeout there fails with a {@link WeakDurabilityException}.
   */
  public ProcessesBuilder<S> acceptWeakDurability() {
    weakDurability = true;
    return this;
  }

  /** How long an instance that has ended is kept for queries. Default: it is not kept. */
  public ProcessesBuilder<S> keep(Duration value) {
    keep = value;
    return this;
  }

  /** A store of its own. Default: the mailroom's. */
  public ProcessesBuilder<S> store(Store value) {
    store = value;
    return this;
  }

  /**
   * How its messages are claimed, leased, retried and kept, from the defaults of an inbox. They are
   * always ordered per instance.
   */
  public ProcessesBuilder<S> options(Consumer<InboxOptionsBuilder> change) {
    options = options.andThen(change);
    return this;
  }

  /**
   * The process type, to be added to a mailroom.
   *
   * @throws dev.mailroom.errors.InvalidOptionsException naming every violation
   */
  public Processes<S> build() {
    Violations violations = new Violations("Process '" + name + "'");
    boolean starting =
        steps.values().stream().anyMatch(step -> step.missing() == MissingInstance.START);
    violations.check(starting, "steps", steps.keySet(), "one of them must start an instance");
    violations.check(
        !starting || initial != null,
        "initial",
        null,
        "is required: the state that an instance starts with");
    violations.check(
        history >= 0 && history <= LONGEST_HISTORY,
        "history",
        history,
        "must be from 0 to " + LONGEST_HISTORY);
    violations.positiveOrNull("keep", keep);
    violations.raise();
    InboxOptions made = InboxOptions.of(options.andThen(own -> own.ordering(Ordering.REQUIRED)));
    ProcessDefinition definition =
        new ProcessDefinition(name, steps, made, store, history, keep, failOnDeadLetter);
    return new Processes<>(definition, type, initial, weakDurability);
  }
}
