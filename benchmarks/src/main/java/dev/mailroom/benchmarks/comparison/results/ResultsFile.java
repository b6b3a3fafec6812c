package dev.mailroom.benchmarks.comparison.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Results as a JSON file. */
public final class ResultsFile {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final ObjectWriter WRITER =
      MAPPER.writer(
          // The same bytes on every system.
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));

  private ResultsFile() {}

  /** Reads a file that {@link #write} has written. */
  public static Results read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("There is no file " + file + ". Name the JSON file of a comparison.");
    }
    try {
      return MAPPER.readValue(file.toFile(), Results.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          file + " does not hold results of a comparison: " + e.getOriginalMessage(), e);
    }
  }

  /** Writes a file, and the directories it lies in. */
  public static void write(Results results, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().normalize().getParent());
    Files.writeString(file, WRITER.writeValueAsString(results) + "\n");
  }
}
