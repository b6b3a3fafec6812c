package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.postgres.ProcessorTime;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The time on the wall and of the processors since it began.
 *
 * @param server whose processor time counts as well
 * @param began on the wall, in nanoseconds
 * @param before the processors' time then
 */
record Meter(Server server, long began, ProcessorTime before) {

  static Meter begin(Server server) throws SQLException, IOException {
    ProcessorTime before = ProcessorTime.now(server.processes());
    return new Meter(server, System.nanoTime(), before);
  }

  /** The rate of so many messages since it began, and the processor time of each. */
  Reading read(long messages) throws SQLException, IOException {
    double seconds = (System.nanoTime() - began) / 1e9;
    ProcessorTime after = ProcessorTime.now(server.processes());
    Map<String, Double> extra = new LinkedHashMap<>();
    if (messages > 0) {
      extra.put(Names.JVM_MICROSECONDS, (after.here() - before.here()) / 1e3 / messages);
      extra.put(Names.SERVER_MICROSECONDS, after.serverSince(before) / 1e3 / messages);
    }
    return new Reading(messages / seconds, extra);
  }
}
