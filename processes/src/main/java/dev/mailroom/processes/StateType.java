package dev.mailroom.processes;

import org.jspecify.annotations.Nullable;

/**
 * The state types of processes and aggregations. Each tenant has a type of its own; names are
 * quoted, so that no name together with a tenant equals another name.
 */
final class StateType {
  private StateType() {}

  static String ofProcess(String name, @Nullable String tenant) {
    return of("process", name, tenant);
  }

  static String ofAggregation(String name, @Nullable String tenant) {
    return of("aggregation", name, tenant);
  }

  private static String of(String what, String name, @Nullable String tenant) {
    String type = what + " " + quote(name);
    return tenant == null ? type : type + " of " + quote(tenant);
  }

  private static String quote(String name) {
    return "'" + name.replace("'", "''") + "'";
  }
}
