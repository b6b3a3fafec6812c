package dev.mailroom.server.cli;

import dev.mailroom.server.config.Configuration;
import dev.mailroom.server.config.KnownSettings;
import dev.mailroom.server.config.Setting;
import dev.mailroom.server.config.SettingsPage;
import dev.mailroom.server.config.ShownValue;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = "Lists all settings, or the settings that are set and where.")
final class ConfigCommand implements Callable<Integer> {
  @Mixin ConfigOptions config = new ConfigOptions();
  @Mixin Output output = new Output();

  @Option(
      names = "--values",
      description =
          "What is set, and where. Secrets are not shown, nor passwords and tokens in URLs.")
  boolean values;

  @Option(names = "--markdown", description = "The table of the documentation.")
  boolean markdown;

  @Override
  public Integer call() {
    if (values) {
      Configuration configuration = config.read();
      configuration.requireValid();
      List<ShownValue> shown = configuration.shown();
      output.print(view(shown), out -> shown.forEach(value -> describe(out, value)));
    } else if (markdown) {
      output.out().print(SettingsPage.markdown());
      output.out().flush();
    } else {
      output.print(all(), out -> KnownSettings.ALL.forEach(setting -> describe(out, setting)));
    }
    return ExitCodes.OK;
  }

  private static void describe(PrintWriter out, ShownValue value) {
    out.printf("%s: %s  # %s%n", value.name(), value.text(), value.origin());
  }

  private static Map<String, Object> view(List<ShownValue> shown) {
    Map<String, Object> view = new LinkedHashMap<>();
    for (ShownValue value : shown) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("value", value.isList() ? value.texts() : value.text());
      one.put("from", value.origin());
      view.put(value.name(), one);
    }
    return view;
  }

  private static void describe(PrintWriter out, Setting setting) {
    out.printf(
        "%s (%s%s)%n    %s%n",
        setting.name(),
        setting.shownType(),
        setting.fallback() == null ? "" : "; default " + setting.fallback(),
        setting.meaning());
  }

  private static List<Map<String, @Nullable Object>> all() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Setting setting : KnownSettings.ALL) {
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
