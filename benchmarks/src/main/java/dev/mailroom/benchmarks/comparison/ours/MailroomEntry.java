package dev.mailroom.benchmarks.comparison.ours;

import dev.mailroom.Mailroom;
import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.contender.Promises;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Mailroom. Under one name in all modes: the workload says which one is measured.
 *
 * @param mode how it is used
 */
public record MailroomEntry(Mode mode) implements Entry {
  /** Its name. */
  public static final String NAME = "Mailroom";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String version() {
    return Objects.requireNonNullElse(
        Mailroom.class.getPackage().getImplementationVersion(), "of this repository");
  }

  @Override
  public Promises promises() {
    return new Promises(
        "at least once, 5 attempts, then a dead letter; exactly once in the database for handlers"
            + " that ask for the message's transaction",
        "per group when asked for, across processes and through retries; else none",
        "when the write returns, or with the caller's transaction");
  }

  @Override
  public Set<Ability> abilities() {
    Set<Ability> abilities =
        EnumSet.of(
            Ability.DRAIN, Ability.STREAM, Ability.BULK_APPEND, Ability.TRANSACTIONAL_APPEND);
    switch (mode) {
      case SINGLE, COALESCING -> abilities.add(Ability.DELAY);
      case BATCHED -> abilities.add(Ability.BATCHED);
      case TRANSACTIONAL -> abilities.add(Ability.TRANSACTIONAL_HANDLER);
      case ORDERED -> abilities.add(Ability.ORDER);
    }
    return abilities;
  }

  @Override
  public Set<DatabaseKind> databases() {
    return EnumSet.allOf(DatabaseKind.class);
  }

  @Override
  public List<Setup> sweep() {
    return List.of(
        new Setup(4, 1_000), new Setup(4, 500), new Setup(4, 2_000), new Setup(2, 1_000));
  }

  @Override
  public Contender open(Place place, Setup setup) throws Exception {
    return MailroomContender.open(place, setup, mode);
  }
}
