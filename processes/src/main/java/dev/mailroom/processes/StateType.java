package dev.mailroom.processes;

import org.jspecify.annotations.Nullable;

/**
 * The types of states under which processes and collections keep what is theirs. Each tenant has a
 * type of its own; names are quoted, so that no name together with a tenant is like another name.
 */
final class StateType {
  private StateType() {}

  static String ofProcess(String name, @Nullable String tenant) {
    return of("process", name, tenant);
  }

  static String ofCollection(String name, @Nullable String tenant) {
    return of("collected", name, tenant);
  }

  private static String of(String what, String name, @Nullable String tenant) {
    String type = what + " " + quote(name);
    return tenant == null ? type : type + " of " + quote(tenant);
  }

  private static String quote(String name) {
    return "'" + name.replace("'", "''") + "'";
  }
}
