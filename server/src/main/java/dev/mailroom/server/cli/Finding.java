package dev.mailroom.server.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a check has found.
 *
 * @param check what was checked
 * @param ok whether it is as it should be
 * @param detail what there is, or what is wrong and what to do
 */
record Finding(String check, boolean ok, String detail) {
  static Finding good(String check, String detail) {
    return new Finding(check, true, detail);
  }

  static Finding wrong(String check, String detail) {
    return new Finding(check, false, detail);
  }

  void describe(PrintWriter out) {
    out.printf("%-5s %-13s %s%n", ok ? "ok" : "WRONG", check, detail);
  }

  Map<String, Object> view() {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("check", check);
    view.put("ok", ok);
    view.put("detail", detail);
    return view;
  }
}
