package dev.mailroom.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of this JVM: {@code <tmpdir>/mailroom-databases-<user>/run-<process id>}, deleted when
 * the JVM ends. A JVM that was killed cannot do so; then the next one does.
 */
final class Workspace {
  private static final String RUN = "run-";

  private final Path shared;
  private final Path run;
  private final AtomicLong directories = new AtomicLong();
  private final List<Runnable> beforeDeletion = Collections.synchronizedList(new ArrayList<>());

  private Workspace(Path shared, Path run) {
    this.shared = shared;
    this.run = run;
  }

  static Workspace current() {
    return Current.WORKSPACE;
  }

  /** The directory for what is kept from one JVM to the next. */
  Path shared() {
    return shared;
  }

  /** The directory that is deleted when the JVM ends. */
  Path run() {
    return run;
  }

  /** An empty directory that is deleted when the JVM ends. */
  Path newDirectory(String name) {
    return openDirectory(run.resolve(name + "-" + directories.incrementAndGet()));
  }

  /** Has something done when the JVM ends, while the files are still there. */
  void beforeDeletion(Runnable action) {
    beforeDeletion.add(action);
  }

  /** Deletes a directory and all in it. */
  static void delete(Path directory) {
    try {
      Files.walkFileTree(directory, new Deletion());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Workspace open(Path temporary, String user, long process) {
    Path shared = openDirectory(temporary.resolve("mailroom-databases-" + user));
    Path run = shared.resolve(RUN + process);
    // Left by an earlier process that had the same number.
    deleteQuietly(run);
    openDirectory(run);
    requireSameOwner(shared, run);
    sweep(shared);
    Workspace workspace = new Workspace(shared, run);
    Runtime.getRuntime().addShutdownHook(new Thread(workspace::close, "mailroom-databases-end"));
    return workspace;
  }

  private void close() {
    for (Runnable action : List.copyOf(beforeDeletion)) {
      try {
        action.run();
      } catch (RuntimeException e) {
        // The other servers have to be stopped all the same.
        System.err.println("A server was not stopped: " + e);
      }
    }
    deleteQuietly(run);
  }

  /**
   * A directory that another user may enter whatever our umask is: a server that refuses to run as
   * root has to reach its binaries and its data.
   */
  private static Path openDirectory(Path directory) {
    try {
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name is easy to guess: programs that another user put there must never be run. */
  private static void requireSameOwner(Path shared, Path run) {
    try {
      if (!Files.getOwner(shared).equals(Files.getOwner(run))) {
        throw new IllegalStateException(shared + " belongs to another user; remove it");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sweep(Path shared) {
    try (Stream<Path> entries = Files.list(shared)) {
      entries.filter(Workspace::isAbandoned).forEach(Workspace::deleteQuietly);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isAbandoned(Path entry) {
    String name = entry.getFileName().toString();
    return name.matches(RUN + "\\d+")
        && ProcessHandle.of(Long.parseLong(name.substring(RUN.length()))).isEmpty();
  }

  private static void deleteQuietly(Path directory) {
    try {
      if (Files.exists(directory)) {
        delete(directory);
      }
    } catch (UncheckedIOException e) {
      // Another JVM sweeps too, or a dying server still writes: the next sweep gets the rest.
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }

  /** Opens the workspace when it is first needed. */
  private static final class Current {
    static final Workspace WORKSPACE =
        open(
            Path.of(System.getProperty("java.io.tmpdir")),
            System.getProperty("user.name"),
            ProcessHandle.current().pid());
  }
}
