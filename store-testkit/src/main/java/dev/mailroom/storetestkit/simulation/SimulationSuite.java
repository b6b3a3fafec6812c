package dev.mailroom.storetestkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs many seeds over a store. System properties say which:
 *
 * <ul>
 *   <li>{@code mailroom.simulation.seeds}: how many
 *   <li>{@code mailroom.simulation.first}: the first of them; 1 unless given
 *   <li>{@code mailroom.simulation.seed}: this one only, to replay a failure
 * </ul>
 *
 * <p>Each simulation runs on one thread; two run at a time, so the opener is called by two threads.
 */
public final class SimulationSuite {
  private static final String PREFIX = "mailroom.simulation.";
  private static final int THREADS = 2;

  private final String command;
  private final StoreOpener opener;

  /**
   * A suite, ready to run.
   *
   * @param command what runs the test that calls this; the seed's property is appended to it to say
   *     how a failure is replayed
   * @param opener opens the store under each simulation
   */
  public SimulationSuite(String command, StoreOpener opener) {
    this.command = command;
    this.opener = opener;
  }

  /**
   * Runs the seeds that the system properties name.
   *
   * @param seeds how many, unless a property says otherwise
   * @throws AssertionError if an invariant was broken, with the command that replays it
   */
  public SimulationSummary run(int seeds) {
    Long only = Long.getLong(PREFIX + "seed");
    return only != null
        ? run(only, 1)
        : run(Long.getLong(PREFIX + "first", 1), Integer.getInteger(PREFIX + "seeds", seeds));
  }

  /**
   * Runs these seeds.
   *
   * @throws AssertionError if an invariant was broken, with the command that replays it
   */
  public SimulationSummary run(long first, int count) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      SimulationSummary summary = new SimulationSummary();
      int step = 100; // what is remembered at a time: reports are large
      for (long next = first; next < first + count; next += step) {
        runAll(threads, next, Math.min(next + step, first + count), summary);
      }
      return summary;
    } finally {
      threads.shutdownNow();
    }
  }

  private void runAll(ExecutorService threads, long from, long to, SimulationSummary summary) {
    List<Callable<SimulationReport>> tasks = new ArrayList<>();
    for (long seed = from; seed < to; seed++) {
      SimulationOptions options = SimulationOptions.of(seed);
      tasks.add(() -> runOne(options));
    }
    try {
      for (Future<SimulationReport> report : threads.invokeAll(tasks)) {
        summary.add(report.get());
      }
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Error error ? error : new AssertionError(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    }
  }

  private SimulationReport runOne(SimulationOptions options) {
    try {
      return new Simulation(options, opener).run();
    } catch (RuntimeException | Error failure) {
      String replay = "Replay: " + command + " -D" + PREFIX + "seed=" + options.seed();
      throw new AssertionError(replay + "\n" + failure.getMessage(), failure);
    }
  }
}
