package dev.mailroom.processes;

import dev.mailroom.Delivery;
import dev.mailroom.Inbox;
import dev.mailroom.Result;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.errors.UnknownContractException;
import dev.mailroom.errors.VersionConflictException;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Payload;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.processes.ProcessRecord.Pending;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.FacadeChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the steps of one process type.
 *
 * <p>A step reads its instance, lets the handler decide, and completes its message in one commit
 * with the instance's next version and all that the handler asked for. The commit is fenced twice:
 * by the message's lease, so that whoever lost it changes nothing, and by the version, so that a
 * decision about an instance that has changed since is taken back and made again. The messages of
 * an instance are one group of the inbox, so the second hardly ever happens.
 *
 * @param <S> the process's state
 */
final class Stepping<S> {
  private static final Logger LOG = LoggerFactory.getLogger(Stepping.class);

  /** Each conflict means that somebody else has got on; after this many in a row it waits a bit. */
  private static final int TURNS = 20;

  private static final Duration LATER = Duration.ofMillis(100);

  private final Settings settings;
  private final Class<S> type;
  private final @Nullable Function<String, S> initial;
  private final FacadeChannel own;

  Stepping(
      Settings settings, Class<S> type, @Nullable Function<String, S> initial, FacadeChannel own) {
    this.settings = settings;
    this.type = type;
    this.initial = initial;
    this.own = own;
  }

  /** Does what a message of the process's inbox calls for. */
  Result handle(Delivery<Payload> delivery) throws Exception {
    StateKey key = stateKey(delivery.message().routing().tenant(), groupOf(delivery));
    if (delivery.message().contract().equals(Forgetting.CONTRACT)) {
      return forget(delivery, key);
    }
    Object message;
    try {
      message = own.context().decode(delivery.payload());
    } catch (UnknownContractException unknown) {
      return Result.park(String.valueOf(unknown.getMessage()));
    } catch (MailroomException undecodable) {
      return Result.deadLetter(LastError.of(undecodable));
    }
    Binding<?, ?> binding = settings.steps().get(message.getClass());
    if (binding == null) {
      return Result.park(
          "Process '" + settings.name() + "' has no step for " + message.getClass().getName());
    }
    return step(delivery, key, bound(binding), message);
  }

  private Result forget(Delivery<Payload> delivery, StateKey key) {
    try {
      Forgetting.remove(delivery, find(key));
      return Result.success();
    } catch (UnknownContractException newer) {
      return Result.park(String.valueOf(newer.getMessage()));
    }
  }

  @SuppressWarnings("unchecked") // its builder binds handlers for this state alone
  private Binding<S, ?> bound(Binding<?, ?> binding) {
    return (Binding<S, ?>) binding;
  }

  private Result step(
      Delivery<Payload> delivery, StateKey key, Binding<S, ?> binding, Object message)
      throws Exception {
    for (int turn = 1; turn <= TURNS; turn++) {
      Found found;
      S state;
      try {
        found = find(key);
        if (isStale(delivery, found)) {
          return Result.success();
        }
        if (found.running() == null && binding.missing() != NoInstance.START) {
          return missing(delivery, binding);
        }
        state = stateOf(found);
      } catch (UnknownContractException newer) {
        return Result.park(String.valueOf(newer.getMessage()));
      }
      try {
        stepOnce(delivery, binding, message, found, state);
        return Result.success();
      } catch (VersionConflictException conflict) {
        LOG.debug("Somebody else changed {}; once more", key, conflict);
      }
    }
    return Result.retryLater(LATER);
  }

  private void stepOnce(
      Delivery<Payload> delivery, Binding<S, ?> binding, Object message, Found found, S state)
      throws Exception {
    ProcessRecord running = found.running();
    Commit commit;
    try {
      Plan plan = new Plan(settings, own.context(), delivery, running);
      Step<S> step = new Step<>(delivery, found.key().key(), state, running == null, plan);
      S next = Objects.requireNonNull(binding.handle(step, message), "the step's answer");
      commit = plan.commit(own.channel().encode(next), found);
    } catch (Exception | Error error) {
      if (running == null || !isLast(delivery, error)) {
        throw error;
      }
      commit = givingUp(delivery, found, running, error);
    }
    delivery.complete(commit);
  }

  private Commit givingUp(
      Delivery<Payload> delivery, Found found, ProcessRecord running, Throwable error) {
    Plan plan = new Plan(settings, own.context(), delivery, running);
    plan.end(ProcessStatus.FAILED, error.toString());
    LOG.warn("{} is given up: its step failed for good", plan, error);
    return plan.commit(running.state(), found);
  }

  /**
   * Whether the message would die of this error, and the instance with it. One that was interrupted
   * may have been so because the engine stops, and then its message comes again.
   */
  private boolean isLast(Delivery<Payload> delivery, Throwable error) {
    RetryPolicy retry = settings.options().handling().retry();
    return settings.undoing()
        && !(error instanceof InterruptedException)
        && !Thread.currentThread().isInterrupted()
        && (delivery.attempt() >= retry.attempts() || retry.isPermanent(error));
  }

  /** The state before the step: the stored one, or that of a new instance. */
  private S stateOf(Found found) {
    ProcessRecord running = found.running();
    return running == null
        ? Objects.requireNonNull(initial, "initial").apply(found.key().key())
        : type.cast(own.context().decode(running.state()));
  }

  /** A timeout that was taken back too late, or asked for by an instance that is over. */
  private static boolean isStale(Delivery<Payload> delivery, Found found) {
    String timeout = delivery.headers().get(Plan.TIMEOUT);
    if (timeout == null) {
      return false;
    }
    ProcessRecord running = found.running();
    Pending pending = running == null ? null : running.timeouts().get(timeout);
    return pending == null || !pending.message().equals(delivery.id());
  }

  private Result missing(Delivery<Payload> delivery, Binding<S, ?> binding) {
    if (binding.missing() == NoInstance.IGNORE) {
      return Result.success();
    }
    return Result.deadLetter(
        "There is no process '"
            + settings.name()
            + "' of '"
            + groupOf(delivery)
            + "', and "
            + binding.type().getSimpleName()
            + " does not start one.");
  }

  Found find(StateKey key) {
    Inbox inbox = own.channel();
    StoredState stored = inbox.state(key);
    return stored == null
        ? new Found(key, 0, null)
        : new Found(key, stored.version(), ProcessFormat.decode(stored.value()));
  }

  StateKey stateKey(@Nullable String tenant, String key) {
    return new StateKey(stateType(tenant), key);
  }

  /** Instances of a tenant are a type of states of their own. */
  String stateType(@Nullable String tenant) {
    return StateType.ofProcess(settings.name(), tenant);
  }

  private static String groupOf(Delivery<Payload> delivery) {
    return Objects.requireNonNull(delivery.groupKey(), "group key of an ordered inbox");
  }
}
