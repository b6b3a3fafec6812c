package dev.mailroom.benchmarks.postgres;

import dev.mailroom.benchmarks.Contender;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** A contender whose processor time is measured as well. */
final class Metered implements Contender {
  private final Contender contender;
  private final BenchDatabase database;
  private final List<Double> here = new ArrayList<>();
  private final List<Double> compiler = new ArrayList<>();
  private final List<Double> server = new ArrayList<>();
  private ProcessorTime before = ProcessorTime.NONE;

  Metered(Contender contender, BenchDatabase database) {
    this.contender = contender;
    this.database = database;
  }

  @Override
  public String name() {
    return contender.name();
  }

  @Override
  public double goal() {
    return contender.goal();
  }

  @Override
  public void prepare(int messages) throws Exception {
    contender.prepare(messages);
    System.gc(); // what the preparation has left behind is nobody's
    before = ProcessorTime.now(database);
  }

  @Override
  public void run(int messages) throws Exception {
    contender.run(messages);
  }

  @Override
  public void finish(int messages) throws Exception {
    ProcessorTime after = ProcessorTime.now(database);
    here.add((after.here() - before.here()) / 1e3 / messages);
    compiler.add((after.compiler() - before.compiler()) / 1e3 / messages);
    server.add(after.serverSince(before) / 1e3 / messages);
    contender.finish(messages);
  }

  /**
   * The processor time of each message of all contenders, and its ratio to the first's: medians of
   * the last rounds, without the compiler.
   */
  static String table(List<Metered> contenders, int rounds) {
    StringBuilder table = new StringBuilder();
    table.append("| µs per message | ratio | in all | JVM | server | JVM's compiler |\n");
    table.append("|---|---|---|---|---|---|\n");
    double first = contenders.get(0).total(rounds);
    for (Metered each : contenders) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %.2f | %.1f | %.1f | %.1f | %.1f |%n",
              each.name(),
              first / each.total(rounds),
              each.total(rounds),
              median(each.here, rounds),
              median(each.server, rounds),
              median(each.compiler, rounds)));
    }
    return table.toString();
  }

  private double total(int rounds) {
    return median(here, rounds) + median(server, rounds);
  }

  private static double median(List<Double> values, int last) {
    List<Double> sorted = new ArrayList<>(values.subList(values.size() - last, values.size()));
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
