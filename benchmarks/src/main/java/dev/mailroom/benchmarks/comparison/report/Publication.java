package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Results;
import dev.mailroom.benchmarks.comparison.results.ResultsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The runs that a page is made of.
 *
 * @param first the one whose figures it shows
 * @param others later ones, to compare with
 * @param snapshot the run with the held snapshot
 * @param stock a run on a server as a distribution installs it
 */
public record Publication(
    Results first, List<Results> others, Optional<Results> snapshot, Optional<Results> stock) {
  /** The name of the first run's file. */
  public static final String FIRST = "results.json";

  /** The name of the file with the held snapshot. */
  public static final String SNAPSHOT = "snapshot.json";

  /** The name of the file with the run on a stock server. */
  public static final String STOCK = "stock.json";

  /** Reads a first run, and what lies beside it: {@code results-2.json} and so on. */
  public static Publication read(Path first) throws IOException {
    List<Results> others = new ArrayList<>();
    for (int number = 2; Files.exists(first.resolveSibling(name(number))); number++) {
      others.add(ResultsFile.read(first.resolveSibling(name(number))));
    }
    return new Publication(
        ResultsFile.read(first),
        others,
        readIfThere(first.resolveSibling(SNAPSHOT)),
        readIfThere(first.resolveSibling(STOCK)));
  }

  private static Optional<Results> readIfThere(Path file) throws IOException {
    return Files.exists(file) ? Optional.of(ResultsFile.read(file)) : Optional.empty();
  }

  /** Where a run is kept without replacing another. */
  public static Path free(Path directory) {
    int number = 1;
    while (Files.exists(directory.resolve(name(number)))) {
      number++;
    }
    return directory.resolve(name(number));
  }

  private static String name(int number) {
    return number == 1 ? FIRST : "results-" + number + ".json";
  }

  /** All that was measured, once. */
  Results merged() {
    return snapshot.map(first::with).orElse(first);
  }
}
