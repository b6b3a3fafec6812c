package dev.mailroom.server.targets;

import java.util.List;

/** What people can see of targets, and do about them. Thread-safe. */
public interface TargetControl {

  /** How all targets fare, by name. */
  List<TargetStatus> list();

  /**
   * Enables a target that is disabled, and closes its breaker.
   *
   * @return false if there is no target of that name
   */
  boolean enable(String target);
}
