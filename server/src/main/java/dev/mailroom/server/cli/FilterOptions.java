package dev.mailroom.server.cli;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which messages are meant. */
class FilterOptions {
  @Option(names = "--contract", description = "Only this contract's, such as github.push.")
  @Nullable String contract;

  @Option(names = "--group", description = "Only this group's.")
  @Nullable String group;

  @Option(names = "--tenant", description = "Only this tenant's.")
  @Nullable String tenant;

  @Option(names = "--error", description = "Only messages with a last error that contains this.")
  @Nullable String error;

  /** As parameters of the API. */
  Map<String, @Nullable String> query() {
    Map<String, @Nullable String> query = new HashMap<>();
    query.put("contract", contract);
    query.put("group", group);
    query.put("tenant", tenant);
    query.put("error", error);
    return query;
  }

  boolean isAny() {
    return contract == null && group == null && tenant == null && error == null;
  }
}
