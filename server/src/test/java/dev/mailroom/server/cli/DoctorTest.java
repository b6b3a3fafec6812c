package dev.mailroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.server.Receiver;
import dev.mailroom.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor looks, says what it has seen, and leaves everything as it was. */
class DoctorTest {
  @TempDir private Path directory;

  private CommandResult doctor(String yaml, String... more) throws IOException {
    Path file = Files.writeString(directory.resolve("doctor.yaml"), yaml);
    return CommandResult.of(
        Stream.concat(Stream.of("doctor", "-c", file.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  private String store(String file) {
    return "store: {url: 'jdbc:sqlite:" + directory.resolve(file) + "'}\nlisten: {port: 0}\n";
  }

  /** Every file with its size and time. */
  private Map<Path, String> everything() throws IOException {
    Map<Path, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        FileTime time = Files.getLastModifiedTime(file);
        found.put(file, Files.size(file) + " " + time);
      }
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.filter(Files::isDirectory).forEach(file -> found.put(file, "directory"));
    }
    found.keySet().removeIf(file -> file.endsWith("doctor.yaml"));
    return found;
  }

  @Test
  void a_store_that_is_not_there_is_not_created() throws IOException {
    Map<Path, String> before = everything();

    CommandResult fresh = doctor(store("deep/down/mailroom.db"));
    CommandResult manual = doctor(store("deep/down/mailroom.db"), "--set", "store.migrate=no");
    CommandResult check =
        CommandResult.of("migrate", "--check", "-c", directory.resolve("doctor.yaml").toString());
    CommandResult print =
        CommandResult.of("migrate", "--print", "-c", directory.resolve("doctor.yaml").toString());

    assertThat(fresh.code()).as(fresh.out()).isZero();
    assertThat(fresh.out()).contains("does not exist yet; the first start creates it", " free in ");
    assertThat(manual.code()).isEqualTo(1);
    assertThat(manual.out()).contains("Create it with 'mailroom migrate'.");
    assertThat(check.code()).isEqualTo(1);
    assertThat(print.out()).contains("CREATE TABLE");
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void a_store_that_is_there_is_looked_at_and_left_as_it_was() throws IOException {
    String yaml = store("data/mailroom.db");
    doctor(yaml);
    String config = directory.resolve("doctor.yaml").toString();
    assertThat(CommandResult.of("migrate", "-c", config, "--json").json().path("ok").asBoolean())
        .isTrue();
    Map<Path, String> before = everything();

    CommandResult result = doctor(yaml, "--json");

    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.json().findValuesAsText("check"))
        .containsExactly("configuration", "disk", "database", "schema", "clock", "port");
    assertThat(CommandResult.of("migrate", "--check", "-c", config).code()).isZero();
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void tables_that_are_missing_are_not_created() throws IOException {
    Path file = Files.createFile(directory.resolve("empty.db")); // an empty file is a database

    CommandResult result = doctor(store("empty.db"), "--set", "store.migrate=no");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).contains("WRONG database", "Create it with 'mailroom migrate'.");
    assertThat(file).isEmptyFile();
  }

  @Test
  void a_running_server_is_no_fault_and_another_program_on_its_port_is() throws IOException {
    try (TestServer server = TestServer.start(directory, "");
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int own = URI.create(server.url()).getPort();
      String yaml = store("x.db");

      CommandResult running = doctor(yaml, "--set", "listen.port=" + own);
      CommandResult stale = doctor(yaml, "--set", "listen.port=" + closed(other));

      assertThat(running.code()).as(running.out()).isZero();
      assertThat(running.out()).contains(own + " is in use by a Mailroom that is running");
      assertThat(stale.out()).contains(" is free");
    }
    try (Receiver other = new Receiver()) {
      int port = URI.create(other.url()).getPort();
      CommandResult result = doctor(store("x.db"), "--set", "listen.port=" + port);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).contains("WRONG port", port + " is in use by another program");
    }
    assertThat(doctor(store("x.db"), "--set", "listen.address=nowhere.invalid").out())
        .contains("WRONG port", "'nowhere.invalid' is no address");
  }

  private static int closed(ServerSocket socket) throws IOException {
    socket.close();
    return socket.getLocalPort();
  }

  @Test
  void targets_are_checked_without_a_request() throws IOException {
    Path program = Files.createFile(directory.resolve("run.sh"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path text = Files.writeString(directory.resolve("text.txt"), "not a program");
    int closed = closed(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    try (Receiver receiver = new Receiver()) {
      CommandResult result =
          doctor(
              store("x.db")
                  + """
                  targets:
                    post: %1$s
                    refused: {type: http, url: 'http://127.0.0.1:%2$d/', secrets: [%3$s]}
                    private: {type: http, url: '%4$s', addresses: public, secrets: [%3$s]}
                    unknown: {type: http, url: 'https://nowhere.invalid/', secrets: [%3$s]}
                    run: {type: command, command: [%5$s]}
                    found: {type: command, command: [sh, -c, 'true']}
                    missing: {type: command, command: [no-such-program-anywhere]}
                    text: {type: command, command: [%6$s]}
                    log: {}
                  """
                      .formatted(
                          receiver.target(),
                          closed,
                          Receiver.SECRET,
                          receiver.url(),
                          program,
                          text));

      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out().lines().filter(line -> line.contains("target")))
          .anyMatch(line -> line.matches("ok .* post: 127.0.0.1:\\d+ takes connections"))
          .anyMatch(line -> line.matches("WRONG .* refused: .* takes no connection .*"))
          .anyMatch(line -> line.matches("WRONG .* private: .* is not public, .*"))
          .anyMatch(
              line -> line.matches("WRONG .* unknown: the host 'nowhere.invalid' is unknown.*"))
          .anyMatch(line -> line.matches("ok .* run: .*run.sh can be run"))
          .anyMatch(line -> line.matches("ok .* found: .*/sh can be run"))
          .anyMatch(line -> line.matches("WRONG .* missing: there is no program .*"))
          .anyMatch(line -> line.matches("WRONG .* text: .* is not an executable file.*"))
          .anyMatch(line -> line.matches("ok .* log: writes to the log"))
          .hasSize(9);
      assertThat(receiver.isEmpty()).isTrue();
    }
  }

  @Test
  void every_fault_of_the_configuration_is_a_finding() throws IOException {
    CommandResult result = doctor("listen: {port: x}\nsources: {a: {provider: gihtub}}\n");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out().lines()).hasSize(2).allMatch(line -> line.startsWith("WRONG configur"));
  }
}
