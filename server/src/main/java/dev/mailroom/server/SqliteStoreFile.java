package dev.mailroom.server;

import dev.mailroom.errors.StoreException;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file of an embedded store.
 *
 * @param path where it is, absolute
 * @param parameters what the URL says behind the path, with the question mark; may be empty
 */
public record SqliteStoreFile(Path path, String parameters) {
  private static final String PREFIX = "jdbc:sqlite:";
  private static final String ADVICE =
      " Let this user write to it, or set store.url to another path.";

  /**
   * The file that the options name.
   *
   * @param directory where a relative path begins
   * @throws StoreException if the URL names no file
   */
  public static SqliteStoreFile of(StoreOptions options, Path directory) {
    String[] parts = options.url().substring(PREFIX.length()).split("\\?", 2);
    if (parts[0].isBlank() || parts[0].startsWith(":") || parts[0].startsWith("file:")) {
      throw new StoreException(
          "The store's URL "
              + options.shown()
              + " names no file: write jdbc:sqlite:data/mailroom.db.");
    }
    return new SqliteStoreFile(
        directory.resolve(parts[0]).toAbsolutePath().normalize(),
        parts.length == 1 ? "" : "?" + parts[1]);
  }

  /** Whether there is no store in it yet: it is not there, or it is empty. */
  public boolean isMissing() {
    try {
      return !Files.exists(path) || Files.size(path) == 0;
    } catch (IOException e) {
      return false; // opening it says more
    }
  }

  /** Why it cannot be created, and what to do, or null if nothing speaks against it. */
  public @Nullable String obstacle() {
    Path directory = nearestDirectory();
    if (Files.isWritable(directory)) {
      return null;
    }
    return directory.equals(path.getParent())
        ? "The SQLite file %s cannot be opened for writing: its directory is read-only."
                .formatted(path)
            + ADVICE
        : "The directory %s of the SQLite file cannot be created: %s is read-only for this user."
                .formatted(path.getParent(), directory)
            + ADVICE;
  }

  /** The directory that it is in, or the nearest one above that is there. */
  public Path nearestDirectory() {
    Path directory = path.getParent();
    while (directory != null && !Files.isDirectory(directory)) {
      directory = directory.getParent();
    }
    return directory == null ? path.getRoot() : directory;
  }

  String url() {
    return PREFIX + path + parameters;
  }

  /**
   * Creates the directory that it is in, unless it is there.
   *
   * @throws StoreException saying why that is not possible
   */
  void createDirectory() {
    try {
      Files.createDirectories(path.getParent());
    } catch (IOException e) {
      throw new StoreException(
          "The directory %s of the SQLite file cannot be created (%s: %s)."
                  .formatted(path.getParent(), e.getClass().getSimpleName(), e.getMessage())
              + ADVICE,
          e);
    }
  }
}
