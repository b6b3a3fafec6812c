package dev.mailroom.server.cli;

import dev.mailroom.server.ConfigurationCheck;
import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.ConfigurationException;
import dev.mailroom.server.config.ServerOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Checks the configuration, the database, its tables, clock and disk, the targets and the"
            + " port. Creates and changes nothing.")
final class DoctorCommand implements Callable<Integer> {
  @Mixin ConfigOptions config = new ConfigOptions();
  @Mixin Output output = new Output();

  @Override
  public Integer call() {
    List<Finding> findings = findings();
    output.print(
        findings.stream().map(Finding::view).toList(),
        out -> findings.forEach(finding -> finding.describe(out)));
    return findings.stream().allMatch(Finding::ok) ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    Configuration configuration = config.read();
    ServerOptions options;
    try {
      options = ConfigurationCheck.read(configuration);
    } catch (ConfigurationException e) {
      return e.problems().stream().map(problem -> Finding.wrong("configuration", problem)).toList();
    }
    findings.add(Finding.good("configuration", String.valueOf(configuration.file())));
    configuration
        .warnings()
        .forEach(warning -> findings.add(Finding.good("configuration", warning)));
    findings.addAll(StoreCheck.run(options.store(), configuration.directory()));
    findings.addAll(TargetCheck.run(options.targets().values(), configuration.directory()));
    findings.add(PortCheck.run(options));
    return findings;
  }
}
