package dev.mailroom.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mailroom.databases.Launcher.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LauncherTest {
  private static final Optional<Path> SETPRIV = Optional.of(Path.of("/bin/setpriv"));
  private static final Optional<Path> NO_SETPRIV = Optional.empty();
  private static final Account ROOT = new Account("root", 0, 0);
  private static final Account DAEMON = new Account("daemon", 1, 2);
  private static final Account NOBODY = new Account("nobody", 65534, 65533);

  @Test
  void rootBecomesSomebodyWithoutRights() {
    Launcher launcher = Launcher.unprivileged(SETPRIV, List.of(ROOT, DAEMON, NOBODY));

    assertThat(launcher.owner()).isEqualTo(NOBODY);
    assertThat(launcher.command(List.of("postgres", "-D", "data")))
        .containsExactly(
            "/bin/setpriv",
            "--pdeathsig=QUIT",
            "--reuid=65534",
            "--regid=65533",
            "--clear-groups",
            "--",
            "postgres",
            "-D",
            "data");
  }

  @Test
  void anotherAccountWillDo() {
    assertThat(Launcher.unprivileged(SETPRIV, List.of(ROOT, DAEMON)).owner()).isEqualTo(DAEMON);
  }

  @Test
  void saysWhyRootCannotBecomeSomebodyElse() {
    assertThatThrownBy(() -> Launcher.unprivileged(NO_SETPRIV, List.of(NOBODY)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("refuses to run as root", "no setpriv", PostgresServer.OUTSIDE);
    assertThatThrownBy(() -> Launcher.unprivileged(SETPRIV, List.of(ROOT)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("refuses to run as root", "none of the accounts");
  }

  @Test
  void othersRunTheServerThemselves() {
    assertThat(Launcher.asSelf(NO_SETPRIV).command(List.of("postgres")))
        .containsExactly("postgres");
    assertThat(Launcher.asSelf(SETPRIV).command(List.of("postgres")))
        .containsExactly("/bin/setpriv", "--pdeathsig=QUIT", "--", "postgres");
  }

  @Test
  void readsTheAccountsOfTheSystem() {
    assertThat(Account.parse("nobody:x:65534:65533:nobody:/:/bin/false")).containsExactly(NOBODY);
    assertThat(Account.parse("+::")).isEmpty();
  }

  @Test
  void saysWhichDirectoryIsClosedToTheOther() throws IOException {
    assumeTrue(Launcher.isRoot());
    Path closed = Workspace.current().newDirectory("closed");
    Path directory = Files.createDirectory(closed.resolve("data"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));

    assertThatThrownBy(() -> Launcher.unprivileged().handOver(directory))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("may not enter " + closed, "java.io.tmpdir");
  }

  @Test
  void theDataOfAServerBelongsToWhoeverRunsIt() throws IOException {
    assumeTrue(Launcher.isRoot());
    Path directory = Workspace.current().newDirectory("handed-over");
    Launcher launcher = Launcher.unprivileged();

    launcher.handOver(directory);

    assertThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(launcher.owner().user());
    ProgramRunner.run(launcher.command(List.of("/bin/sh", "-c", "test $(id -u) != 0")), directory);
  }
}
