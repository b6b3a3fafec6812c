package dev.mailroom.server.targets;

import dev.mailroom.MailroomException;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.config.ServerOptions.Kind;
import dev.mailroom.server.config.ServerOptions.TargetOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** All targets of a server, by name. */
public final class Targets implements AutoCloseable {
  private final Map<String, Target> byName = new LinkedHashMap<>();

  /**
   * Makes them.
   *
   * @param directory where programs run
   * @param withheld environment variables that no program may inherit
   * @throws ConfigurationException naming every target that cannot work
   */
  public Targets(ServerOptions options, Path directory, Set<String> withheld) {
    List<String> problems = new ArrayList<>();
    options
        .targets()
        .forEach(
            (name, target) -> {
              try {
                byName.put(name, make(target, directory, withheld));
              } catch (MailroomException | IllegalArgumentException e) {
                problems.add("targets." + name + ": " + e.getMessage());
              }
            });
    if (!problems.isEmpty()) {
      close();
      throw new ConfigurationException(problems);
    }
  }

  private static Target make(TargetOptions target, Path directory, Set<String> withheld) {
    Kind kind = target.kind();
    if (kind instanceof Kind.Post post) {
      return new HttpTarget(post, target.timeout());
    }
    if (kind instanceof Kind.Program program) {
      return new CommandTarget(program.command(), target.timeout(), directory, withheld);
    }
    return new LogTarget(target.name(), ((Kind.LogLine) kind).payload());
  }

  /** The target of that name, which the configuration has checked to exist. */
  public Target get(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  @Override
  public void close() {
    byName.values().forEach(Target::close);
  }
}
