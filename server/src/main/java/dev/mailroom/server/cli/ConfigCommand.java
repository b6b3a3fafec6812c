package dev.mailroom.server.cli;

import dev.mailroom.server.config.Setting;
import dev.mailroom.server.config.Settings;
import dev.mailroom.server.config.SettingsPage;
import dev.mailroom.server.web.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "Lists all settings, or those that are set here and where.")
final class ConfigCommand implements Callable<Integer> {
  @Mixin ConfigOptions config = new ConfigOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(names = "--values", description = "What is set, where; secrets are not shown.")
  boolean values;

  @Option(names = "--markdown", description = "The table of the documentation.")
  boolean markdown;

  @Option(names = "--json", description = "Prints JSON.")
  boolean json;

  @Override
  public Integer call() {
    PrintWriter out = Output.of(spec);
    if (values) {
      Map<String, String> shown = config.read().shown();
      if (json) {
        out.println(Json.pretty(shown));
      } else {
        shown.forEach((name, value) -> out.println(name + ": " + value));
      }
    } else if (markdown) {
      out.print(SettingsPage.markdown());
      out.flush();
    } else if (json) {
      out.println(Json.pretty(all()));
    } else {
      for (Setting setting : Settings.ALL) {
        out.printf(
            "%s (%s%s)%n    %s%n",
            setting.name(),
            setting.shownType(),
            setting.fallback() == null ? "" : "; default " + setting.fallback(),
            setting.meaning());
      }
    }
    return ExitCodes.OK;
  }

  private static List<Map<String, @Nullable Object>> all() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Setting setting : Settings.ALL) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("name", setting.name());
      row.put("type", setting.shownType());
      row.put("default", setting.fallback());
      row.put("meaning", setting.meaning());
      all.add(row);
    }
    return all;
  }
}
