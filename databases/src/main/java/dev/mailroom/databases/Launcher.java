package dev.mailroom.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides who runs a server, and what ends it if this JVM is killed.
 *
 * <p>Both are done by {@code setpriv}, which becomes the server instead of starting it: the process
 * that we see is the server itself. Of util-linux's programs it is the one that asks no PAM module
 * and needs no shell for the other user.
 *
 * @param prefix goes in front of every command
 * @param owner who runs the command and must own its data; none if that is the user of this JVM
 */
record Launcher(List<String> prefix, @Nullable Account owner) {
  private static final List<String> UNPRIVILEGED = List.of("nobody", "postgres", "daemon");
  private static final Path ACCOUNTS = Path.of("/etc/passwd");

  /** For a server that runs as whoever starts it. */
  static Launcher asSelf() {
    return asSelf(find("setpriv"));
  }

  static Launcher asSelf(Optional<Path> setpriv) {
    return new Launcher(setpriv.map(Launcher::endWithParent).orElse(List.of()), null);
  }

  /** For a server that refuses to run as root. */
  static Launcher unprivileged() {
    if (!isRoot()) {
      return asSelf();
    }
    try (Stream<String> accounts = Files.lines(ACCOUNTS)) {
      return unprivileged(find("setpriv"), accounts.flatMap(Account::parse).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Launcher unprivileged(Optional<Path> setpriv, List<Account> accounts) {
    Path program = setpriv.orElseThrow(() -> cannot("there is no setpriv (of util-linux)"));
    Account account =
        UNPRIVILEGED.stream()
            .flatMap(name -> accounts.stream().filter(each -> each.name().equals(name)))
            .filter(each -> each.user() != 0)
            .findFirst()
            .orElseThrow(() -> cannot("none of the accounts " + UNPRIVILEGED + " exists"));
    List<String> prefix = new ArrayList<>(endWithParent(program));
    prefix.add(prefix.size() - 1, "--reuid=" + account.user());
    prefix.add(prefix.size() - 1, "--regid=" + account.group());
    prefix.add(prefix.size() - 1, "--clear-groups");
    return new Launcher(List.copyOf(prefix), account);
  }

  static boolean isRoot() {
    try {
      // The owner of what we have just made, since the user's name need not be "root".
      Path own = Workspace.current().run();
      return Integer.valueOf(0).equals(Files.getAttribute(own, "unix:uid"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> command(List<String> command) {
    return Stream.concat(prefix.stream(), command.stream()).toList();
  }

  /** Gives a directory to whoever runs the commands. */
  void handOver(Path directory) {
    if (owner != null) {
      try {
        requireReach(directory, owner);
        Files.setAttribute(directory, "unix:uid", owner.user());
        Files.setAttribute(directory, "unix:gid", owner.group());
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot give " + directory + " to " + owner.name(), e);
      }
    }
  }

  private static void requireReach(Path directory, Account account) throws IOException {
    for (Path above = directory.getParent(); above != null; above = above.getParent()) {
      if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        throw cannot(
            "the account %s may not enter %s; let java.io.tmpdir be elsewhere"
                .formatted(account.name(), above));
      }
    }
  }

  /**
   * A JVM that is killed runs no shutdown hook, and a server must not outlive it. The kernel
   * watches the thread that started the process, so that thread has to live as long as the server
   * should.
   */
  private static List<String> endWithParent(Path setpriv) {
    return List.of(setpriv.toString(), "--pdeathsig=QUIT", "--");
  }

  private static Optional<Path> find(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin")
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static IllegalStateException cannot(String reason) {
    return new IllegalStateException(
        "PostgreSQL refuses to run as root, and it cannot run as somebody else, because "
            + reason
            + "; build as another user, or name a running server with "
            + PostgresServer.OUTSIDE);
  }

  /** A line of the file of accounts. */
  record Account(String name, int user, int group) {

    static Stream<Account> parse(String line) {
      String[] fields = line.split(":", -1);
      return fields.length < 4
          ? Stream.of()
          : Stream.of(
              new Account(fields[0], Integer.parseInt(fields[2]), Integer.parseInt(fields[3])));
    }
  }
}
