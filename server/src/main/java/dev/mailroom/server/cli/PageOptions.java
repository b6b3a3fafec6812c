package dev.mailroom.server.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which long lists are read page by page. */
final class PageOptions {
  @Option(names = "--limit", description = "The most to list. Default: ${DEFAULT-VALUE}.")
  int limit = 50;

  @Option(names = "--after", description = "Goes on where the last page said 'next'.")
  @Nullable String after;

  void addTo(Map<String, @Nullable String> query) {
    query.put("limit", String.valueOf(limit));
    query.put("after", after);
  }
}
