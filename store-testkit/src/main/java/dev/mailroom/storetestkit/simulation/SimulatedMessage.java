package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as the model knows it. Times are nanoseconds of simulated time. */
final class SimulatedMessage {

  /** The true state of the message in the store. */
  enum State {
    /** Not in the store: never written, refused, or rolled back. */
    UNWRITTEN,
    /** Written in a transaction that is still open. */
    STAGED,
    /** Ready, scheduled or leased. */
    LIVE,
    COMPLETED,
    DEAD,
    COLLAPSED,
    CANCELLED,
    /** Removed by the operator, or because its channel keeps no dead letters. */
    DISCARDED
  }

  static final long NEVER = Long.MAX_VALUE;

  final int number;
  final UUID id;
  final boolean text;
  final Routing routing;
  final Duration delay;
  final @Nullable Duration lifetime;
  final HandlerBehaviour behaviour;

  State state = State.UNWRITTEN;

  /** A late commit may have collapsed it or not; a store may do either. */
  boolean perhapsCollapsed;

  @Nullable LeasedMessage leased;
  GroupPosition position = GroupPosition.pending(0, GroupPosition.IMMEDIATE);
  int attempts;
  int crashes;
  int deferrals;
  long notBefore;
  long mayExpireAt = NEVER;
  long mustExpireAt = NEVER;
  long deadLetteredAt;

  /** How often the handler was called for it in all; its behaviour depends on that. */
  int calls;

  /**
   * Handler calls since it was accepted or redriven, and how many of them no stored count includes.
   */
  int starts;

  int uncounted;

  SimulatedMessage(
      int number,
      UUID id,
      boolean text,
      Routing routing,
      Duration delay,
      @Nullable Duration lifetime,
      HandlerBehaviour behaviour) {
    this.number = number;
    this.id = id;
    this.text = text;
    this.routing = routing;
    this.delay = delay;
    this.lifetime = lifetime;
    this.behaviour = behaviour;
  }

  /** What is written: text or bytes, so that there are two contracts. */
  Object payload() {
    return text ? toString() : bytes();
  }

  byte[] bytes() {
    return toString().getBytes(StandardCharsets.UTF_8);
  }

  boolean isLive() {
    return state == State.LIVE;
  }

  boolean isDead() {
    return state == State.DEAD;
  }

  /** Whether writing its id again is a duplicate. */
  boolean exists() {
    return state == State.STAGED || state == State.LIVE || state == State.DEAD;
  }

  /** Whether it can be cancelled, moved or collapsed. */
  boolean isUnleased() {
    return state == State.LIVE && leased == null;
  }

  /** Resets all counts, when the message is accepted or redriven. */
  void reset(long now) {
    attempts = 0;
    crashes = 0;
    deferrals = 0;
    starts = 0;
    uncounted = 0;
    notBefore = now;
    perhapsCollapsed = false;
    leased = null;
  }

  @Override
  public String toString() {
    return "m" + number;
  }
}
