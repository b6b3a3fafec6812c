package dev.mailroom.server.config;

import java.util.stream.Collectors;

/** The table of settings as a page of the documentation has it. */
public final class SettingsPage {
  private SettingsPage() {}

  /** A Markdown table, one row for each setting. */
  public static String markdown() {
    return "| setting | type | default | meaning |\n|---|---|---|---|\n"
        + KnownSettings.ALL.stream()
            .map(
                setting ->
                    "| `%s` | %s | %s | %s |\n"
                        .formatted(
                            setting.name(),
                            setting.shownType(),
                            setting.fallback() == null ? "" : "`" + setting.fallback() + "`",
                            setting.meaning()))
            .collect(Collectors.joining());
  }
}
