package dev.mailroom.benchmarks.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Says something on the console and keeps it in a file. */
final class Report {
  private final Path file;

  private Report(Path file) {
    this.file = file;
  }

  /** Begins the file anew. */
  static Report begin(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.deleteIfExists(file);
    return new Report(file);
  }

  void say(String format, Object... values) {
    String text = String.format(Locale.ROOT, format + "%n", values);
    System.out.print(text);
    System.out.flush();
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
