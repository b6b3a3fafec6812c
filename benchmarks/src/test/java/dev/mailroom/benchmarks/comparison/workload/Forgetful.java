package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A library that does not work at all. */
class Forgetful implements Entry {
  static final String NAME = "forgetful";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public Promises promises() {
    return new Promises("never", "none", "none");
  }

  @Override
  public Set<Ability> abilities() {
    return EnumSet.of(Ability.DRAIN, Ability.STREAM);
  }

  @Override
  public Set<DatabaseKind> databases() {
    return EnumSet.allOf(DatabaseKind.class);
  }

  @Override
  public List<Setup> sweep() {
    return List.of(new Setup(1, 100));
  }

  @Override
  public Contender open(Place place, Setup setup) throws Exception {
    throw new IllegalStateException("It is out of order.");
  }
}
