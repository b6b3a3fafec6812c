package dev.mailroom.benchmarks.comparison.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;

/** What was asked for on the command line, held against what there is. */
final class Choice {
  private final List<String> problems = new ArrayList<>();

  /** Names that there must be. */
  Choice exactly(String option, List<String> wanted, List<String> known) {
    return check(option, wanted, known, String::equals);
  }

  /** Beginnings of names that there must be, whatever their case. */
  Choice beginning(String option, List<String> wanted, List<String> known) {
    return check(
        option,
        wanted,
        known,
        (name, part) ->
            !part.isBlank()
                && name.toLowerCase(Locale.ROOT).startsWith(part.toLowerCase(Locale.ROOT)));
  }

  private Choice check(
      String option, List<String> wanted, List<String> known, BiPredicate<String, String> fits) {
    for (String one : wanted) {
      if (known.stream().noneMatch(name -> fits.test(name, one))) {
        problems.add(
            option + " '" + one + "' is none of those that there are: " + String.join(", ", known));
      }
    }
    return this;
  }

  /** All that is wrong, at once. */
  List<String> problems() {
    return List.copyOf(problems);
  }
}
