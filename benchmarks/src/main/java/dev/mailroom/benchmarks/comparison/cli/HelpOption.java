package dev.mailroom.benchmarks.comparison.cli;

import picocli.CommandLine.Option;

/** What every command can be asked. */
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this and does nothing.")
  boolean wanted;
}
