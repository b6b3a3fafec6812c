package dev.mailroom.storetestkit.simulation;

import java.util.ArrayList;
import java.util.List;

/** What happened, in order; equal for equal seeds. */
final class EventLog {
  private static final int SHOWN = 50;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<String> events = new ArrayList<>();
  private long step;

  void nextStep() {
    step++;
  }

  long step() {
    return step;
  }

  void add(long nanos, String event) {
    events.add("#" + step + " +" + nanos / NANOS_PER_MILLI + "ms " + event);
  }

  List<String> all() {
    return List.copyOf(events);
  }

  List<String> last() {
    return List.copyOf(events.subList(Math.max(0, events.size() - SHOWN), events.size()));
  }
}
