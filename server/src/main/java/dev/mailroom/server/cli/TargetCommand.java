package dev.mailroom.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "target",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Shows the status of a running server's targets, and enables disabled ones.",
    subcommands = {TargetCommand.Listing.class, TargetCommand.Enable.class})
final class TargetCommand {
  private static final String TARGETS = "/api/targets";

  private TargetCommand() {}

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists targets: whether each is enabled, its breaker, its calls under way.")
  static final class Listing implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Output output = new Output();

    @Override
    public Integer call() {
      output.page(
          api.client().get(TARGETS, Map.of()),
          "targets",
          "name",
          "enabled",
          "breaker.state",
          "callsUnderWay",
          "concurrency",
          "breaker.lastFailure",
          "disabledReason");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "enable",
      mixinStandardHelpOptions = true,
      description = {
        "Enables a target that has answered 410, and closes its breaker.",
        "Redrive its dead letters with 'mailroom dead redrive'."
      })
  static final class Enable implements Callable<Integer> {
    @Mixin ApiOptions api = new ApiOptions();
    @Mixin Output output = new Output();

    @Parameters(index = "0", paramLabel = "TARGET", description = "The target's name.")
    String target = "";

    @Override
    public Integer call() {
      JsonNode enabled =
          api.client().post(TARGETS + "/" + ApiClient.encoded(target) + "/enable", Map.of());
      output.print(enabled, out -> out.printf("Target '%s' is enabled.%n", target));
      return ExitCodes.OK;
    }
  }
}
