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
              "A backlog that is there before handling starts. The time begins with the"
                  + " first message and ends after a fixed time, or with the last message. Single"
                  + " handlers get one message per call, batched ones a list; transactional ones"
                  + " commit together with the outcome."),
          new Workload(
              Names.ORDERED,
              "Ordered drain",
              "The same, the messages of each group one after another in the order of their"
                  + " appends, which is checked. Raw SQL keeps no order; it is the same floor."),
          new Workload(
              Names.STEADY,
              "Append and handle at once",
              "Handling while as many messages are appended, in large transactions, with a"
                  + " bounded backlog."),
          new Workload(
              Names.GROWTH,
              "Growing backlog",
              "Draining while at least that many more messages wait, to the end."),
          new Workload(
              Names.DELAYED,
              "Beside delayed messages",
              "Draining while that many others are not due yet."),
          new Workload(
              Names.APPEND,
              "Append",
              "Every thread appends one message per transaction; nobody handles them"
                  + " meanwhile."),
          new Workload(
              Names.COALESCED_APPEND,
              "Coalesced append",
              "The same, but Mailroom gathers what several threads write at the same" + " moment."),
          new Workload(
              Names.BULK_APPEND,
              "Bulk append",
              "One thread appends many messages per transaction."),
          new Workload(
              Names.LATENCY,
              "Latency",
              "From the return of an append to its handler: the median, and the 99th"
                  + " percentile beside it in the figures. Idle is 15 messages a second by one"
                  + " writer. Half load is half of what the contender itself handles while single"
                  + " messages are appended, by eight writers: the rate stands beside it, and the"
                  + " faster contender carries the higher one. Across processes, another process"
                  + " writes. A handler that begins before the append has returned counts as zero:"
                  + " Mailroom gives a message to a free worker of the same process as soon as it"
                  + " is committed."),
          new Workload(
              Names.TIMERS,
              "Timers",
              "From the time at which a delayed message is due to its handler; delays of"
                  + " 0.2 to 1 seconds."),
          new Workload(
              Names.COST,
              "Cost in the database",
              "What the server's statistics say a message takes, from its append, one in"
                  + " each transaction, until it is done."),
          new Workload(
              Names.HEAP,
              "Heap",
              "How much more of the heap is in use, after a collection, while that many"
                  + " wait."),
          new Workload(
              Names.SNAPSHOT,
              "Held snapshot",
              "Appending and handling at saturation while another session holds an old"
                  + " snapshot open, so that nothing that was removed can be cleaned away. The"
                  + " rounds are slices of ten seconds."));

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
