package dev.mailroom.databases;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL server of this JVM. */
final class LocalPostgres extends LocalServer {
  private static final String READY = "database system is ready to accept connections";
  private static final String USER = "postgres";
  private static final String STATISTICS = "pg_stat_statements";

  private final Launcher launcher;
  private final Path home;
  private final Path data;
  private final Durability durability;

  private LocalPostgres(Launcher launcher, Path home, Path data, Durability durability) {
    super(data, READY);
    this.launcher = launcher;
    this.home = home;
    this.data = data;
    this.durability = durability;
  }

  static LocalPostgres create(PostgresVersion version, Durability durability) {
    Launcher launcher = Launcher.unprivileged();
    Path home = PostgresSoftware.install(version);
    Path data = Workspace.current().newDirectory("postgres-" + version.major());
    launcher.handOver(data);
    LocalPostgres server = new LocalPostgres(launcher, home, data, durability);
    server.initialize();
    Workspace.current().beforeDeletion(server::stopImmediately);
    return server;
  }

  @Override
  public JdbcUrl url() {
    return JdbcUrl.parse(
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s&password=%s"
            .formatted(port(), USER, USER));
  }

  @Override
  List<String> command(int onPort) {
    List<String> command =
        new ArrayList<>(List.of(program("postgres"), "-D", data.toString(), "-p", "" + onPort));
    Stream.concat(settings().stream(), durability().stream())
        .forEach(setting -> command.addAll(List.of("-c", setting)));
    return launcher.command(command);
  }

  @Override
  void end(Process running) {
    // Not a kill: that would leave the server's shared memory behind.
    ProgramRunner.run(
        launcher.command(
            List.of(program("pg_ctl"), "stop", "-D", data.toString(), "-m", "immediate", "-W")),
        data);
  }

  private void initialize() {
    List<String> command =
        List.of(
            program("initdb"),
            "--pgdata=" + data,
            "--username=" + USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            // The directory lives as long as this JVM: nobody needs it after a power failure.
            "--no-sync");
    ProgramRunner.run(launcher.command(command), data);
  }

  private List<String> settings() {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200"));
    if (Files.exists(home.resolve("lib/postgresql/" + STATISTICS + ".so"))) {
      settings.add("shared_preload_libraries=" + STATISTICS);
    }
    return settings;
  }

  private List<String> durability() {
    return switch (durability) {
      case FULL -> List.of("fsync=on", "full_page_writes=on", "synchronous_commit=on");
      // With synchronous_commit=off a crash of the server, not only of the machine, loses commits.
      case RELAXED -> List.of("fsync=off", "full_page_writes=off", "synchronous_commit=on");
    };
  }

  private String program(String name) {
    return home.resolve("bin").resolve(name).toString();
  }
}
