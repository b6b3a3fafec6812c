package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.processes.ProcessRecord.Pending;
import dev.mailroom.spi.AtomicCompletion;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.FacadeChannel;
import dev.mailroom.spi.HandlerOutcome;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the steps of one process type.
 *
 * <p>A step reads its instance, lets the handler decide, and completes its message in one commit
 * with the instance's next version and all that the handler asked for. The commit is fenced twice:
 * by the message's lease, so that a worker that lost it changes nothing, and by the version
 * (optimistic locking), so that a decision about an instance that has changed since is discarded
 * and made again. The messages of an instance are one group of the inbox, so version conflicts are
 * rare.
 *
 * @param <S> the process's state
 */
final class StepRunner<S> {
  private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

  /** A conflict means that another worker made progress; after this many in a row it backs off. */
  private static final int MAX_ATTEMPTS = 20;

  private static final Duration CONFLICT_DELAY = Duration.ofMillis(100);

  private final ProcessDefinition definition;
  private final Class<S> type;
  private final @Nullable Function<String, S> initial;
  private final FacadeChannel own;
  private final DurabilityCheck durability;

  StepRunner(
      ProcessDefinition definition,
      Class<S> type,
      @Nullable Function<String, S> initial,
      FacadeChannel own,
      DurabilityCheck durability) {
    this.definition = definition;
    this.type = type;
    this.initial = initial;
    this.own = own;
    this.durability = durability;
  }

  /** Handles a message of the process's inbox. */
  Result handle(Delivery<Payload> delivery) throws Exception {
    StateKey key = stateKey(delivery.message().routing().tenant(), groupOf(delivery));
    if (delivery.message().contract().equals(InstanceExpiry.CONTRACT)) {
      return expire(delivery, key);
    }
    Object message;
    try {
      message = own.context().decode(delivery.payload());
    } catch (UnknownContractException unknown) {
      return parked(unknown);
    } catch (MailroomException undecodable) {
      return Result.of(HandlerOutcome.undecodable(undecodable));
    }
    StepDefinition<?, ?> step = definition.steps().get(message.getClass());
    if (step == null) {
      return Result.of(
          new HandlerOutcome.Parked(
              "Process '"
                  + definition.name()
                  + "' has no step for "
                  + message.getClass().getName()));
    }
    return run(delivery, key, typed(step), message);
  }

  private static Result parked(UnknownContractException newer) {
    return Result.of(new HandlerOutcome.Parked(String.valueOf(newer.getMessage())));
  }

  private Result expire(Delivery<Payload> delivery, StateKey key) {
    try {
      InstanceExpiry.remove(delivery, find(key));
      return Result.success();
    } catch (UnknownContractException newer) {
      return parked(newer);
    }
  }

  @SuppressWarnings("unchecked") // the builder takes steps for this state only
  private StepDefinition<S, ?> typed(StepDefinition<?, ?> step) {
    return (StepDefinition<S, ?>) step;
  }

  private Result run(
      Delivery<Payload> delivery, StateKey key, StepDefinition<S, ?> step, Object message)
      throws Exception {
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      VersionedInstance instance;
      S state;
      try {
        instance = find(key);
        if (isStale(delivery, instance)) {
          return Result.success();
        }
        if (instance.running() == null && step.missing() != MissingInstance.START) {
          return missing(delivery, step);
        }
        state = stateOf(instance);
      } catch (UnknownContractException newer) {
        return parked(newer);
      }
      try {
        Commit commit = decide(delivery, step, message, instance, state);
        AtomicCompletion.of(delivery).complete(commit);
        return Result.success();
      } catch (VersionConflictException conflict) {
        LOG.debug("{} was changed concurrently; the step runs again", key, conflict);
      }
    }
    return Result.retryLater(CONFLICT_DELAY);
  }

  private Commit decide(
      Delivery<Payload> delivery,
      StepDefinition<S, ?> definedStep,
      Object message,
      VersionedInstance instance,
      S state)
      throws Exception {
    ProcessRecord running = instance.running();
    try {
      StepCommit effects = effects(delivery, running);
      Step<S> step = new Step<>(delivery, instance.key().key(), state, running == null, effects);
      S next = Objects.requireNonNull(definedStep.handle(step, message), "the step's new state");
      return effects.commit(own.channel().encode(next), instance);
    } catch (Exception | Error error) {
      if (running == null || !isLastAttempt(delivery, error)) {
        throw error;
      }
      StepCommit effects = effects(delivery, running);
      effects.end(ProcessStatus.FAILED, error.toString());
      LOG.warn("{} has failed: its step failed permanently", effects, error);
      return effects.commit(running.state(), instance);
    }
  }

  private StepCommit effects(Delivery<Payload> delivery, @Nullable ProcessRecord running) {
    return new StepCommit(definition, own.context(), durability, delivery, running);
  }

  /**
   * Whether the message would be dead-lettered for this error, and the instance is to fail with it.
   * A step that was interrupted may have been so because the engine stops; its message is then
   * handled again.
   */
  private boolean isLastAttempt(Delivery<Payload> delivery, Throwable error) {
    RetryPolicy retry = definition.options().handling().retry();
    return definition.failOnDeadLetter()
        && !(error instanceof InterruptedException)
        && !Thread.currentThread().isInterrupted()
        && (delivery.attempt() >= retry.attempts() || retry.isPermanent(error));
  }

  /** The state before the step: the stored one, or that of a new instance. */
  private S stateOf(VersionedInstance instance) {
    ProcessRecord running = instance.running();
    return running == null
        ? Objects.requireNonNull(initial, "initial").apply(instance.key().key())
        : type.cast(own.context().decode(running.state()));
  }

  /** Whether it is a timeout that was cancelled too late, or requested by an ended instance. */
  private static boolean isStale(Delivery<Payload> delivery, VersionedInstance instance) {
    String timeout = delivery.headers().get(StepCommit.TIMEOUT);
    if (timeout == null) {
      return false;
    }
    ProcessRecord running = instance.running();
    Pending pending = running == null ? null : running.timeouts().get(timeout);
    return pending == null || !pending.message().equals(delivery.id());
  }

  private Result missing(Delivery<Payload> delivery, StepDefinition<S, ?> step) {
    if (step.missing() == MissingInstance.IGNORE) {
      return Result.success();
    }
    return Result.deadLetter(
        "There is no process '"
            + definition.name()
            + "' of '"
            + groupOf(delivery)
            + "', and "
            + step.type().getSimpleName()
            + " does not start one.");
  }

  VersionedInstance find(StateKey key) {
    StoredState stored = own.channel().state(key);
    return stored == null
        ? new VersionedInstance(key, 0, null)
        : new VersionedInstance(key, stored.version(), ProcessFormat.decode(stored.value()));
  }

  StateKey stateKey(@Nullable String tenant, String key) {
    return new StateKey(stateType(tenant), key);
  }

  /** Instances of a tenant are a type of states of their own. */
  String stateType(@Nullable String tenant) {
    return StateType.ofProcess(definition.name(), tenant);
  }

  private static String groupOf(Delivery<Payload> delivery) {
    return Objects.requireNonNull(delivery.groupKey(), "group key of an ordered inbox");
  }
}
