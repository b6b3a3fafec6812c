package dev.mailroom.architecture.words;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The simple names of top-level types. */
final class TypeNames {
  private TypeNames() {}

  /** The names that occur more than once, with the files that have them. */
  static SortedMap<String, List<Path>> repeated(Collection<Path> sources) {
    SortedMap<String, List<Path>> names =
        sources.stream()
            .filter(each -> !each.toString().endsWith("-info.java"))
            .collect(Collectors.groupingBy(TypeNames::name, TreeMap::new, Collectors.toList()));
    names.values().removeIf(files -> files.size() == 1);
    return names;
  }

  private static String name(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }
}
