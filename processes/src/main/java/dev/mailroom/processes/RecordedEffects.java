package dev.mailroom.processes;

import dev.mailroom.messages.AddressedMessage;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Outgoing;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.TestStep.RequestedTimeout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records what one step asks for, as {@link StepCommit} would store it; for {@link TestStep}. */
final class RecordedEffects implements StepEffects {
  private final String key;
  private final Map<String, Instant> waiting;
  private final List<AddressedMessage> compensations;
  private final List<AddressedMessage> sent = new ArrayList<>();
  private final Map<String, RequestedTimeout> requested = new LinkedHashMap<>();
  private final List<String> cancelled = new ArrayList<>();
  private ProcessStatus status = ProcessStatus.RUNNING;
  private @Nullable String failure;

  RecordedEffects(String key, Map<String, Instant> waiting, List<AddressedMessage> compensations) {
    this.key = key;
    this.waiting = new LinkedHashMap<>(waiting);
    this.compensations = new ArrayList<>(compensations);
  }

  /** For the next step, which starts with the timeouts and compensations that this one leaves. */
  RecordedEffects next() {
    return new RecordedEffects(key, waiting, compensations);
  }

  /** The due time of a timeout that fires, which waits no longer; null if none of the name does. */
  @Nullable Instant fire(String timeout) {
    return waiting.remove(timeout);
  }

  @Override
  public void send(AddressedMessage message) {
    requireRunning();
    sent.add(message);
  }

  @Override
  public void timeout(String name, Instant due, Object message, WriteOptions.Builder options) {
    requireRunning();
    Limits.requireName("timeout name", name);
    cancelTimeout(name);
    requested.put(name, new RequestedTimeout(name, due, message));
    waiting.put(name, due);
  }

  @Override
  public void cancelTimeout(String name) {
    if (waiting.remove(name) != null && requested.remove(name) == null) {
      cancelled.add(name);
    }
  }

  @Override
  public void compensateWith(String inbox, Object command) {
    requireRunning();
    compensations.add(new AddressedMessage(inbox, new Outgoing(command, WriteOptions.defaults())));
  }

  @Override
  public void end(ProcessStatus how, String reason) {
    requireRunning();
    status = how;
    if (how == ProcessStatus.FAILED) {
      failure = reason;
      for (int i = compensations.size() - 1; i >= 0; i--) {
        sent.add(compensations.get(i));
      }
    }
    new ArrayList<>(waiting.keySet()).forEach(this::cancelTimeout);
    compensations.clear();
  }

  private void requireRunning() {
    if (status != ProcessStatus.RUNNING) {
      throw new IllegalStateException(
          "The step has ended " + this + " already: ask for everything before that.");
    }
  }

  List<AddressedMessage> sent() {
    return List.copyOf(sent);
  }

  List<RequestedTimeout> requested() {
    return List.copyOf(requested.values());
  }

  List<String> cancelled() {
    return List.copyOf(cancelled);
  }

  Map<String, Instant> waiting() {
    return new LinkedHashMap<>(waiting);
  }

  List<AddressedMessage> compensations() {
    return List.copyOf(compensations);
  }

  ProcessStatus status() {
    return status;
  }

  @Nullable String failure() {
    return failure;
  }

  @Override
  public String toString() {
    return "the process of '" + key + "'";
  }
}
