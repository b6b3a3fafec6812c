package dev.mailroom.architecture.words;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of this repository. Tests run in the directory of their module. */
final class Repository {
  private static final Path ROOT = Path.of("..");
  private static final Path DOCS = ROOT.resolve("docs");
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Path TEST = Path.of("src", "test", "java");

  private Repository() {}

  /** The names of all modules that have Java sources. */
  static List<String> modules() throws IOException {
    try (Stream<Path> directories = Files.list(ROOT)) {
      return directories
          .filter(each -> Files.exists(each.resolve(MAIN)) || Files.exists(each.resolve(TEST)))
          .map(each -> each.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  static List<Path> mainSources(String module) throws IOException {
    return files(ROOT.resolve(module).resolve(MAIN), ".java");
  }

  static List<Path> testSources(String module) throws IOException {
    return files(ROOT.resolve(module).resolve(TEST), ".java");
  }

  /** The pages that are written by hand. */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    files(DOCS, ".md").stream()
        .filter(each -> !DOCS.relativize(each).toString().startsWith("benchmarks"))
        .forEach(pages::add);
    return pages;
  }

  /** A file's name as a reader of a failed test looks for it. */
  static String name(Path file) {
    return ROOT.relativize(file).toString();
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(each -> each.toString().endsWith(ending)).sorted().toList();
    }
  }
}
