package dev.mailroom.storetestkit.simulation;

import dev.mailroom.messages.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message as the model knows it. Times are nanoseconds of simulated time. */
final class SimulatedMessage {

  /** What has become of it, in truth. */
  enum Fate {
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
  final Behaviour behaviour;

  Fate fate = Fate.UNWRITTEN;

  /** A late commit may or may not have collapsed it; which of these is up to the store. */
  boolean perhapsCollapsed;

  @Nullable Holding holding;
  Place place = Place.open(0, Place.AT_ONCE);
  int attempts;
  int crashes;
  int deferrals;
  long notBefore;
  long mayExpireAt = NEVER;
  long mustExpireAt = NEVER;
  long deadLetteredAt;

  /** How often the handler was called for it, ever: its behaviour goes by that. */
  int calls;

  /**
   * How often it was started since it was accepted or redriven, and how many of these no count
   * shows.
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
      Behaviour behaviour) {
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
    return fate == Fate.LIVE;
  }

  boolean isDead() {
    return fate == Fate.DEAD;
  }

  /** Whether writing its id again is a duplicate. */
  boolean exists() {
    return fate == Fate.STAGED || fate == Fate.LIVE || fate == Fate.DEAD;
  }

  /** Whether it can be cancelled, moved or collapsed. */
  boolean isFree() {
    return fate == Fate.LIVE && holding == null;
  }

  /** Starts anew: accepted, or redriven. */
  void begin(long now) {
    attempts = 0;
    crashes = 0;
    deferrals = 0;
    starts = 0;
    uncounted = 0;
    notBefore = now;
    perhapsCollapsed = false;
    holding = null;
  }

  @Override
  public String toString() {
    return "m" + number;
  }
}
