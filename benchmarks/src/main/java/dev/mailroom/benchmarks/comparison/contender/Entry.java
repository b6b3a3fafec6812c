package dev.mailroom.benchmarks.comparison.contender;

import java.util.List;
import java.util.Set;

/** One line of the comparison: who takes part, and how to open it. */
public interface Entry {

  /** Its name in tables. */
  String name();

  /** The version that is measured. */
  String version();

  /** What it says of itself. */
  Promises promises();

  /** What it can do. */
  Set<Ability> abilities();

  /** Where it can do that. */
  Set<DatabaseKind> databases();

  /** A small sweep over its own settings, of which the best is taken; the first is the default. */
  List<Setup> sweep();

  /**
   * Opens one with clean tables.
   *
   * @throws Exception if it could not
   */
  Contender open(Place place, Setup setup) throws Exception;
}
