package dev.mailroom.server.cli;

import dev.mailroom.MailroomException;
import dev.mailroom.TimeSource;
import dev.mailroom.server.StoreConnection;
import dev.mailroom.server.WebhookAssembly;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.OptionsReader;
import dev.mailroom.server.config.ServerOptions;
import dev.mailroom.server.targets.Targets;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Checks the configuration, the database, its tables and its clock.")
final class DoctorCommand implements Callable<Integer> {
  /** Signatures are dated: a clock that is further off refuses good webhooks before long. */
  private static final Duration SKEW = Duration.ofSeconds(10);

  @Mixin ConfigOptions config = new ConfigOptions();
  @Mixin Output output = new Output();

  private final List<Finding> findings = new ArrayList<>();

  private record Finding(String check, boolean ok, String detail) {}

  @Override
  public Integer call() {
    Configuration configuration = null;
    ServerOptions options = null;
    try {
      configuration = config.read();
      options = OptionsReader.read(configuration);
      WebhookAssembly.sources(options.sources());
      new Targets(options, configuration.directory(), configuration.secretVariables()).close();
      found("configuration", true, String.valueOf(configuration.file()));
      configuration.warnings().forEach(warning -> found("configuration", true, warning));
    } catch (ConfigurationException e) {
      e.problems().forEach(problem -> found("configuration", false, problem));
    }
    if (configuration != null && options != null) {
      look(configuration, options);
    }
    report();
    return findings.stream().allMatch(Finding::ok) ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private void look(Configuration configuration, ServerOptions options) {
    try (StoreConnection connection =
        StoreConnection.open(options.store(), configuration.directory())) {
      found("database", true, options.store().shown());
      String problem = connection.schemaProblem();
      boolean later = problem != null && options.store().migrate();
      found(
          "schema",
          problem == null || later,
          problem == null ? "up to date" : problem + (later ? " It is done at start." : ""));
      Duration skew = connection.clockSkew(TimeSource.system());
      found("clock", skew.abs().compareTo(SKEW) < 0, "the database is " + skew + " ahead of here");
    } catch (MailroomException | SQLException e) {
      found("database", false, String.valueOf(e.getMessage()));
    }
  }

  private void found(String check, boolean ok, String detail) {
    findings.add(new Finding(check, ok, detail));
  }

  private void report() {
    output.print(
        findings.stream().map(DoctorCommand::view).toList(),
        out -> findings.forEach(finding -> describe(out, finding)));
  }

  private static void describe(PrintWriter out, Finding finding) {
    out.printf("%-5s %-13s %s%n", finding.ok() ? "ok" : "WRONG", finding.check(), finding.detail());
  }

  private static Map<String, Object> view(Finding finding) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("check", finding.check());
    view.put("ok", finding.ok());
    view.put("detail", finding.detail());
    return view;
  }
}
