package dev.mailroom.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB server of this JVM. */
final class LocalMariaDb extends LocalServer {
  private static final String READY = ": ready for connections.";
  private static final String USER = "mailroom";

  /** What mariadb-install-db runs, without the texts of the online help. */
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "mariadb_system_tables.sql",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables_data.sql");

  private static final String ACCOUNT =
      """
      create user if not exists %1$s@'%%' identified by '%1$s';
      grant all on *.* to %1$s@'%%' with grant option;
      """;

  private static final int TRIES = 3;

  private final Launcher launcher = Launcher.asSelf();
  private final Path home;
  private final Path data;
  private final Path account;
  private final Durability durability;

  private LocalMariaDb(Path home, Path data, Path account, Durability durability) {
    super(data, READY);
    this.home = home;
    this.data = data;
    this.account = account;
    this.durability = durability;
  }

  static LocalMariaDb create(Durability durability) {
    Path home = MariaDbSoftware.install();
    Path scripts = Workspace.current().newDirectory("mariadb-scripts");
    Path account = scripts.resolve("account.sql");
    try {
      Files.writeString(account, ACCOUNT.formatted(USER));
      LocalMariaDb server = initialized(home, account, durability, scripts.resolve("system.sql"));
      Workspace.current().beforeDeletion(server::stopImmediately);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Once in hundreds of times it misses a table that it has just made; then it starts over. */
  private static LocalMariaDb initialized(
      Path home, Path account, Durability durability, Path script) throws IOException {
    for (int tries = 1; ; tries++) {
      LocalMariaDb server =
          new LocalMariaDb(home, Workspace.current().newDirectory("mariadb"), account, durability);
      try {
        server.initialize(script);
        return server;
      } catch (IllegalStateException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  @Override
  public JdbcUrl url() {
    return JdbcUrl.parse(
        "jdbc:mariadb://127.0.0.1:%d/mysql?user=%s&password=%s&sslMode=DISABLED"
            .formatted(port(), USER, USER));
  }

  @Override
  List<String> command(int onPort) {
    List<String> command = new ArrayList<>(program());
    command.addAll(
        List.of(
            "--port=" + onPort,
            "--bind-address=127.0.0.1",
            // Relative to the data directory: a path of a socket may not be long.
            "--socket=socket",
            "--init-file=" + account,
            "--max-connections=200",
            "--skip-name-resolve",
            // Making a certificate would take two seconds at every start.
            "--skip-ssl",
            "--innodb-flush-log-at-trx-commit=" + flushLogAtCommit()));
    return launcher.command(command);
  }

  @Override
  void end(Process running) {
    // There is no gentler way to stop it that would not flush and tidy up first.
    running.destroyForcibly();
  }

  private void initialize(Path script) throws IOException {
    StringBuilder sql = new StringBuilder("create database mysql;\nuse mysql;\n");
    // The variables that the scripts read: root gets an empty password, nobody else an account.
    sql.append("set @auth_root_socket = null;\nset @skip_auth_anonymous = 1;\n");
    for (String name : SYSTEM_TABLES) {
      sql.append(Files.readString(home.resolve("share").resolve(name))).append('\n');
    }
    Files.writeString(script, sql);
    List<String> command = new ArrayList<>(program());
    command.add("--bootstrap");
    ProgramRunner.run(launcher.command(command), data, script);
  }

  private List<String> program() {
    List<String> program =
        new ArrayList<>(
            List.of(
                home.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--datadir=" + data,
                "--lc-messages-dir=" + home.resolve("share"),
                "--character-sets-dir=" + home.resolve("share/charsets"),
                "--character-set-server=utf8mb4"));
    if (Launcher.isRoot()) {
      // It refuses to run as root by accident only.
      program.add("--user=root");
    }
    return program;
  }

  private int flushLogAtCommit() {
    return switch (durability) {
      case FULL -> 1;
      // 0 would lose commits in a crash of the server, not only of the machine.
      case RELAXED -> 2;
    };
  }
}
