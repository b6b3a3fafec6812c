package dev.mailroom.benchmarks.comparison.ours;

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

/** Raw SQL that does the least that could be done, which everyone is held against. */
public final class FloorEntry implements Entry {
  /** Its name. */
  public static final String NAME = "raw SQL";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String version() {
    return "";
  }

  @Override
  public Promises promises() {
    return new Promises(
        "once while nothing fails; what a dead worker has leased stays leased",
        "none",
        "when the insert is committed");
  }

  @Override
  public Set<Ability> abilities() {
    return EnumSet.of(
        Ability.DRAIN, Ability.STREAM, Ability.BULK_APPEND, Ability.TRANSACTIONAL_APPEND);
  }

  @Override
  public Set<DatabaseKind> databases() {
    return EnumSet.allOf(DatabaseKind.class);
  }

  @Override
  public List<Setup> sweep() {
    return List.of(
        new Setup(2, 1_000), new Setup(1, 1_000), new Setup(2, 500), new Setup(4, 1_000));
  }

  @Override
  public Contender open(Place place, Setup setup) throws Exception {
    FloorQueue queue =
        switch (place.kind()) {
          case POSTGRESQL -> new PostgresFloor();
          case MARIADB -> new MariaDbFloor();
        };
    return FloorContender.open(queue, place, setup);
  }
}
