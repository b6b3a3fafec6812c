package dev.mailroom.server.cli;

import dev.mailroom.errors.MailroomException;
import dev.mailroom.server.SqliteStoreFile;
import dev.mailroom.server.StoreConnection;
import dev.mailroom.server.config.ServerOptions.StoreOptions;
import dev.mailroom.server.config.Units;
import dev.mailroom.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at the store, its tables, its clock and its disk. Creates and changes nothing. */
final class StoreCheck {
  /** Signatures are dated: a clock that is further off refuses good webhooks before long. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  /** With less than this the store is full before long. */
  private static final long LEAST_SPACE = 100L << 20;

  private final StoreOptions options;
  private final Path directory;
  private final List<Finding> findings = new ArrayList<>();

  private StoreCheck(StoreOptions options, Path directory) {
    this.options = options;
    this.directory = directory;
  }

  static List<Finding> run(StoreOptions options, Path directory) {
    StoreCheck check = new StoreCheck(options, directory);
    try {
      check.look();
    } catch (MailroomException | SQLException e) {
      check.findings.add(Finding.wrong("database", String.valueOf(e.getMessage())));
    }
    return check.findings;
  }

  private void look() throws SQLException {
    if (options.isEmbedded()) {
      SqliteStoreFile file = SqliteStoreFile.of(options, directory);
      findings.add(disk(file.nearestDirectory()));
      if (file.isMissing()) {
        findings.add(missing(file));
        return;
      }
    }
    try (StoreConnection connection = StoreConnection.inspect(options, directory)) {
      findings.add(Finding.good("database", options.shown()));
      String problem = connection.schemaProblem();
      boolean later = problem != null && options.migrate();
      findings.add(
          new Finding(
              "schema",
              problem == null || later,
              problem == null ? "up to date" : problem + (later ? " It is done at start." : "")));
      findings.add(clock(connection.clockSkew(TimeSource.system())));
    }
  }

  private Finding missing(SqliteStoreFile file) {
    String obstacle = file.obstacle();
    if (obstacle != null) {
      return Finding.wrong("database", obstacle);
    }
    return options.migrate()
        ? Finding.good("database", file.path() + " does not exist yet; the first start creates it")
        : Finding.wrong(
            "database", file.path() + " does not exist. Create it with 'mailroom migrate'.");
  }

  private static Finding clock(Duration skew) {
    String detail =
        skew.isZero()
            ? "the database's is the same as this host's"
            : "the database's is %s %s this host's"
                .formatted(Units.shown(skew.abs()), skew.isNegative() ? "behind" : "ahead of");
    return new Finding("clock", skew.abs().compareTo(SKEW) < 0, detail);
  }

  private static Finding disk(Path directory) {
    if (!Files.isWritable(directory)) {
      return Finding.wrong(
          "disk",
          directory
              + " cannot be written by this user. Change its permissions, or set store.url to"
              + " another path.");
    }
    try {
      long free = Files.getFileStore(directory).getUsableSpace();
      String detail = "%d MiB are free in %s".formatted(free >> 20, directory);
      return free >= LEAST_SPACE
          ? Finding.good("disk", detail)
          : Finding.wrong("disk", detail + ". Make room: webhooks are refused when it is full.");
    } catch (IOException e) {
      return Finding.wrong("disk", directory + " cannot be examined: " + e.getMessage());
    }
  }
}
