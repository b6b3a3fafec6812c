package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Key;
import dev.mailroom.benchmarks.comparison.results.Names;
import java.util.Collection;
import java.util.List;

/** What the workloads are called in text, and what is done in them. */
final class Catalogue {
  /**
   * One of them.
   *
   * @param name as measurements have it
   * @param title as readers have it
   * @param meaning what is done, in a few sentences
   */
  record Workload(String name, String title, String meaning) {}

  private static final List<Workload> ALL =
      List.of(
          new Workload(
              Names.DRAIN,
              "Drain",
              "A backlog that is there before the time starts is handled for a fixed time, or until"
                  + " it is gone. Single handlers get one message per call, batched ones a list;"
                  + " transactional ones commit their own writes together with the outcome."),
          new Workload(
              Names.ORDERED,
              "Ordered drain",
              "The same, the messages of each group one after another in the order of their"
                  + " appends, which is checked. Where raw SQL does not keep order, the plain"
                  + " drain's floor is the reference."),
          new Workload(
              Names.STEADY,
              "Append and handle at once",
              "Appending and handling together for a fixed time, with a bounded backlog."),
          new Workload(
              Names.GROWTH,
              "Growing backlog",
              "The rate of handling while that many messages wait."),
          new Workload(
              Names.DELAYED,
              "Beside delayed messages",
              "The rate of handling while that many others are not due yet."),
          new Workload(
              Names.APPEND,
              "Append",
              "Every thread appends one message per transaction, and waits for its commit."),
          new Workload(
              Names.COALESCED_APPEND,
              "Coalesced append",
              "Every thread appends one message per call; Mailroom gathers what several threads"
                  + " write at the same moment, the others append as they do."),
          new Workload(
              Names.BULK_APPEND, "Bulk append", "One thread appends many messages per call."),
          new Workload(
              Names.LATENCY,
              "Latency",
              "From the return of the append to the start of the handler: the median, and the 99th"
                  + " percentile in the absolute figures. Idle is a low fixed rate; half load is half"
                  + " of what the contender can do at most."),
          new Workload(
              Names.TIMERS,
              "Timers",
              "How late a message with a delay is handled after it was due."),
          new Workload(
              Names.COST,
              "Cost in the database",
              "What the server spends on one message from its append to its completion."),
          new Workload(
              Names.HEAP, "Heap", "The heap in use, after a collection, while that many wait."),
          new Workload(
              Names.SNAPSHOT,
              "Held snapshot",
              "Appending and handling at saturation while another session holds an old snapshot"
                  + " open, so that nothing that was removed can be cleaned away."));

  private Catalogue() {}

  /** Those of these names that there are, in the order of the page. */
  static List<Workload> known(Collection<String> names) {
    return ALL.stream().filter(workload -> names.contains(workload.name())).toList();
  }

  /** Where a workload stands on the page; behind all others if it is not listed here. */
  static int position(String workload) {
    List<String> names = ALL.stream().map(Workload::name).toList();
    int index = names.indexOf(workload);
    return index < 0 ? names.size() : index;
  }

  /** The title of a workload; its own name if it is not listed here. */
  static String title(String workload) {
    return ALL.stream()
        .filter(one -> one.name().equals(workload))
        .map(Workload::title)
        .findFirst()
        .orElse(workload);
  }

  /** Such as {@code Drain, single} or {@code Drain, single (MariaDB)}. */
  static String title(Key key) {
    String title = title(key.workload()) + ", " + key.variant();
    return key.database().equals(Names.POSTGRESQL)
        ? title
        : title + " (" + database(key.database()) + ")";
  }

  /** Such as {@code Drain, PostgreSQL}. */
  static String heading(Key key) {
    return title(key.workload()) + ", " + database(key.database());
  }

  /** A database as its makers write it. */
  static String database(String name) {
    return switch (name) {
      case Names.POSTGRESQL -> "PostgreSQL";
      case Names.MARIADB -> "MariaDB";
      default -> name;
    };
  }
}
