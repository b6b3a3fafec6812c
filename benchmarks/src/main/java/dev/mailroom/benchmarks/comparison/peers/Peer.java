package dev.mailroom.benchmarks.comparison.peers;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** An entry as a list of facts. */
record Peer(
    String name,
    Promises promises,
    Set<Ability> abilities,
    Set<DatabaseKind> databases,
    List<Setup> sweep,
    Opener opener)
    implements Entry {

  /** Opens a contender. */
  @FunctionalInterface
  interface Opener {
    Contender open(Place place, Setup setup) throws Exception;
  }

  @Override
  public String version() {
    return Versions.of(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public Contender open(Place place, Setup setup) throws Exception {
    return opener.open(place, setup);
  }
}
