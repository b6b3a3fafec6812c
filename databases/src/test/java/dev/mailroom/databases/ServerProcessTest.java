package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.databases.ServerProcess.StartFailedException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ServerProcessTest {
  private static final Path HERE = Path.of(".");

  @Test
  void isReadyWhenItSaysSo() {
    Process process =
        ServerProcess.start(
            shell("echo starting; echo it is up; exec cat /dev/zero"), HERE, "is up");

    assertThat(process.isAlive()).isTrue();
    process.destroyForcibly();
    ServerProcess.awaitEnd(process);
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void tellsWhatItWroteIfItDoesNotGetReady() {
    assertThatThrownBy(() -> ServerProcess.start(shell("echo no disk; exit 1"), HERE, "is up"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("no disk");
  }

  @Test
  void tellsIfThereIsNoSuchProgram() {
    assertThatThrownBy(() -> ServerProcess.start(List.of("/no/such/program"), HERE, "is up"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("/no/such/program");
  }

  @Test
  void knowsWhenThePortWasTaken() {
    assertThatThrownBy(
            () -> ServerProcess.start(shell("echo Address already in use"), HERE, "is up"))
        .isInstanceOfSatisfying(
            StartFailedException.class, e -> assertThat(e.isBecauseOfThePort()).isTrue());
  }

  @Test
  void aFailedCommandTellsWhatItWrote() {
    assertThatThrownBy(() -> ProgramRunner.run(shell("echo no space >&2; exit 3"), HERE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("ended with 3", "no space");
  }

  private static List<String> shell(String script) {
    return List.of("/bin/sh", "-c", script);
  }
}
