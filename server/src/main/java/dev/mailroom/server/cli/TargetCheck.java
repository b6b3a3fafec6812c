package dev.mailroom.server.cli;

import dev.mailroom.http.AddressPolicy;
import dev.mailroom.server.config.ServerOptions.Kind;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Whether targets can be reached: hosts resolve and take connections, programs are there. Sends no
 * request and runs nothing.
 */
final class TargetCheck {
  private static final String CHECK = "target";
  private static final int CONNECT_MILLIS = 3_000;
  private static final int ALL_SECONDS = 15;
  private static final int AT_ONCE = 16;

  private final Path directory;

  private TargetCheck(Path directory) {
    this.directory = directory;
  }

  /**
   * Looks at all of them, some at once.
   *
   * @param directory where programs are run
   */
  static List<Finding> run(Collection<TargetOptions> targets, Path directory) {
    TargetCheck check = new TargetCheck(directory);
    List<TargetOptions> sorted = new ArrayList<>(targets);
    sorted.sort((one, other) -> one.name().compareTo(other.name()));
    ExecutorService threads =
        Executors.newFixedThreadPool(
            AT_ONCE,
            work -> {
              Thread thread = new Thread(work, "mailroom-target-check");
              thread.setDaemon(true); // a DNS lookup may outlast the check
              return thread;
            });
    try {
      List<Callable<Finding>> looks = new ArrayList<>();
      sorted.forEach(target -> looks.add(() -> check.look(target)));
      List<Finding> findings = new ArrayList<>();
      List<Future<Finding>> answers = threads.invokeAll(looks, ALL_SECONDS, TimeUnit.SECONDS);
      for (int i = 0; i < answers.size(); i++) {
        findings.add(finding(sorted.get(i), answers.get(i)));
      }
      return findings;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(Finding.wrong(CHECK, "Interrupted."));
    } finally {
      threads.shutdownNow();
    }
  }

  private static Finding finding(TargetOptions target, Future<Finding> answer)
      throws InterruptedException {
    try {
      return answer.get();
    } catch (CancellationException e) {
      return wrong(target, "no answer within " + ALL_SECONDS + "s");
    } catch (ExecutionException e) {
      return wrong(target, String.valueOf(e.getCause()));
    }
  }

  private Finding look(TargetOptions target) {
    Kind kind = target.kind();
    if (kind instanceof Kind.Post post) {
      return host(target, post);
    }
    if (kind instanceof Kind.Program program) {
      return program(target, program.command().get(0));
    }
    return good(target, "writes to the log");
  }

  private static Finding host(TargetOptions target, Kind.Post post) {
    URI url = URI.create(post.url());
    boolean secure = url.getScheme().equalsIgnoreCase("https");
    int port = url.getPort() >= 0 ? url.getPort() : secure ? 443 : 80;
    String shown = url.getHost() + ":" + port;
    try {
      InetAddress address = InetAddress.getByName(url.getHost());
      if (!post.anyAddress() && !AddressPolicy.PUBLIC.allows(address)) {
        return wrong(
            target,
            "%s is %s, which is not public, and targets.%s.addresses is public"
                .formatted(shown, address.getHostAddress(), target.name()));
      }
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      }
      return good(target, shown + " takes connections");
    } catch (UnknownHostException e) {
      return wrong(
          target,
          "the host '%s' is unknown. Correct targets.%s.url, or check the name service"
              .formatted(url.getHost(), target.name()));
    } catch (IOException e) {
      return wrong(
          target,
          "%s takes no connection (%s). Start it, or correct targets.%s.url"
              .formatted(shown, e.getMessage(), target.name()));
    }
  }

  /** As the system finds it: by its path, seen from where it is run, or along PATH. */
  private Finding program(TargetOptions target, String program) {
    List<Path> candidates =
        program.contains(File.separator)
            ? List.of(directory.resolve(program))
            : Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator))
                .map(candidate -> directory.resolve(candidate).resolve(program))
                .toList();
    for (Path candidate : candidates) {
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return good(target, candidate + " can be run");
      }
    }
    return wrong(
        target,
        candidates.stream().anyMatch(Files::exists)
            ? "'%s' is not an executable file. Make it one (chmod +x)".formatted(program)
            : "there is no program '%s'. Correct targets.%s.command"
                .formatted(program, target.name()));
  }

  private static Finding good(TargetOptions target, String detail) {
    return Finding.good(CHECK, target.name() + ": " + detail);
  }

  private static Finding wrong(TargetOptions target, String detail) {
    return Finding.wrong(CHECK, target.name() + ": " + detail + ".");
  }
}
