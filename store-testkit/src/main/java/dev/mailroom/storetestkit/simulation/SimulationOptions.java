package dev.mailroom.storetestkit.simulation;

import dev.mailroom.errors.Violations;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Ordering;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What is simulated. {@link #of} draws it all from the seed, so that many seeds cover all
 * behaviours; each part can be set instead. What is not listed here (limits, lease, delays, ...) is
 * always drawn from the seed.
 *
 * @param seed decides everything
 * @param messages how many are written, at least {@link #LEAST_MESSAGES}
 * @param workers how many there are at any time, at least {@link #LEAST_WORKERS}
 * @param groups how many different group keys there are, at least 1
 * @param ordering the channel's
 * @param batched whether messages are handled in batches
 * @param afterDeadLetter the channel's
 * @param faults how many are injected, at least {@link #LEAST_FAULTS}
 */
public record SimulationOptions(
    long seed,
    int messages,
    int workers,
    int groups,
    Ordering ordering,
    boolean batched,
    AfterDeadLetter afterDeadLetter,
    int faults) {

  /** Fewer messages would hardly share groups and keys: {@value}. */
  public static final int LEAST_MESSAGES = 200;

  /** Fewer workers would hardly compete for messages: {@value}. */
  public static final int LEAST_WORKERS = 3;

  /** With fewer faults most of them would be missing: {@value}. */
  public static final int LEAST_FAULTS = 20;

  private static final List<Ordering> ORDERINGS =
      List.of(Ordering.NONE, Ordering.WHEN_KEYED, Ordering.REQUIRED);

  /** Checks the counts and reports every violation at once. */
  public SimulationOptions {
    Objects.requireNonNull(ordering, "ordering");
    Objects.requireNonNull(afterDeadLetter, "afterDeadLetter");
    Violations violations = new Violations("SimulationOptions");
    atLeast(violations, "messages", messages, LEAST_MESSAGES);
    atLeast(violations, "workers", workers, LEAST_WORKERS);
    atLeast(violations, "groups", groups, 1);
    atLeast(violations, "faults", faults, LEAST_FAULTS);
    violations.raise();
  }

  private static void atLeast(Violations violations, String option, int value, int least) {
    violations.check(value >= least, option, value, "must be at least " + least);
  }

  /** Everything drawn from the seed. */
  public static SimulationOptions of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new SimulationOptions(
        seed,
        LEAST_MESSAGES + random.nextInt(60),
        LEAST_WORKERS + random.nextInt(3),
        1 + random.nextInt(24),
        ORDERINGS.get(random.nextInt(ORDERINGS.size())),
        random.nextBoolean(),
        random.nextBoolean() ? AfterDeadLetter.CONTINUE : AfterDeadLetter.PARK,
        LEAST_FAULTS + random.nextInt(40));
  }

  /** With this many messages. */
  public SimulationOptions withMessages(int count) {
    return new SimulationOptions(
        seed, count, workers, groups, ordering, batched, afterDeadLetter, faults);
  }

  /** With this many workers. */
  public SimulationOptions withWorkers(int count) {
    return new SimulationOptions(
        seed, messages, count, groups, ordering, batched, afterDeadLetter, faults);
  }

  /** With this many group keys. */
  public SimulationOptions withGroups(int count) {
    return new SimulationOptions(
        seed, messages, workers, count, ordering, batched, afterDeadLetter, faults);
  }

  /** With this ordering. */
  public SimulationOptions withOrdering(Ordering other) {
    return new SimulationOptions(
        seed, messages, workers, groups, other, batched, afterDeadLetter, faults);
  }

  /** With batch handlers, or single ones. */
  public SimulationOptions withBatched(boolean batches) {
    return new SimulationOptions(
        seed, messages, workers, groups, ordering, batches, afterDeadLetter, faults);
  }

  /** With this policy for a group whose head is dead. */
  public SimulationOptions withAfterDeadLetter(AfterDeadLetter other) {
    return new SimulationOptions(seed, messages, workers, groups, ordering, batched, other, faults);
  }

  /** With this many faults. */
  public SimulationOptions withFaults(int count) {
    return new SimulationOptions(
        seed, messages, workers, groups, ordering, batched, afterDeadLetter, count);
  }
}
