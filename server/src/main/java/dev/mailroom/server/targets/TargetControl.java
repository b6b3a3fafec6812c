package dev.mailroom.server.targets;

import java.util.List;

/** The operations on targets for operators. Thread-safe. */
public interface TargetControl {

  /** The status of all targets, by name. */
  List<TargetStatus> list();

  /**
   * Enables a target that is disabled, and closes its breaker.
   *
   * @return false if there is no target of that name
   */
  boolean enable(String target);
}
