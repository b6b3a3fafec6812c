package dev.mailroom.benchmarks.comparison.results;

import java.text.NumberFormat;
import java.util.Locale;

/** The names under which those who measure and those who judge know the same thing. */
public final class Names {
  public static final String POSTGRESQL = "postgresql";
  public static final String MARIADB = "mariadb";

  /** One message per transaction; {@link #threads}. */
  public static final String APPEND = "append";

  /** One message per call, gathered by the library where it can; {@link #threads}. */
  public static final String COALESCED_APPEND = "coalesced-append";

  /** Many messages per transaction; {@link #perTransaction}. */
  public static final String BULK_APPEND = "bulk-append";

  /** A backlog handled; {@link #SINGLE}, {@link #BATCHED}, {@link #TRANSACTIONAL}. */
  public static final String DRAIN = "drain";

  /** A backlog handled in order per group; {@link #groups}. */
  public static final String ORDERED = "ordered";

  /**
   * From the commit to the handler, the median as the number and {@link #P99} as an extra; {@link
   * #SAME_PROCESS_IDLE} and so on.
   */
  public static final String LATENCY = "latency";

  /** Appending and handling at once, with a bounded backlog; {@link #SINGLE}. */
  public static final String STEADY = "steady";

  /** The rate of handling while so many wait; {@link #pending}. */
  public static final String GROWTH = "growth";

  /** The rate of handling while so many are not due yet; {@link #pending}. */
  public static final String DELAYED = "delayed";

  /** How late timers are, the median as the number and {@link #P99} as an extra. */
  public static final String TIMERS = "timers";

  /** What one message takes of the server; {@link #WAL} and so on. */
  public static final String COST = "cost";

  /** The heap in use while so many wait; {@link #pending}. */
  public static final String HEAP = "heap";

  /** Appending and handling while a snapshot is held; {@link #snapshot}. */
  public static final String SNAPSHOT = "snapshot";

  public static final String SINGLE = "single";
  public static final String BATCHED = "batched";
  public static final String TRANSACTIONAL = "transactional";

  public static final String SAME_PROCESS_IDLE = "same process, idle";
  public static final String SAME_PROCESS_HALF = "same process, half load";
  public static final String ACROSS_PROCESSES_IDLE = "across processes, idle";
  public static final String ACROSS_PROCESSES_HALF = "across processes, half load";

  public static final String WAL = "WAL";
  public static final String DEAD_ROWS = "dead rows";
  public static final String STATEMENTS = "statements";
  public static final String BUFFERS = "buffers";

  public static final String UNORDERED = "unordered";
  public static final String IN_ORDER = "ordered";
  public static final String WITHOUT_SNAPSHOT = "without";
  public static final String FIRST_MINUTE = "first minute";
  public static final String LAST_MINUTE = "last minute";

  /** Extra: the 99th percentile, in the unit of the measurement. */
  public static final String P99 = "p99";

  /** Extra: processor time of the JVM per message, in microseconds. */
  public static final String JVM_MICROSECONDS = "jvm µs";

  /** Extra: processor time of the database server per message, in microseconds. */
  public static final String SERVER_MICROSECONDS = "server µs";

  private Names() {}

  /** Such as {@code 8 threads}. */
  public static String threads(int number) {
    return number == 1 ? "1 thread" : grouped(number) + " threads";
  }

  /** Such as {@code 500 per transaction}. */
  public static String perTransaction(int number) {
    return grouped(number) + " per transaction";
  }

  /** Such as {@code 1,000 groups}. */
  public static String groups(int number) {
    return grouped(number) + " groups";
  }

  /** Such as {@code 1,000,000 pending}. */
  public static String pending(long number) {
    return grouped(number) + " pending";
  }

  /** Such as {@code unordered, first minute}. */
  public static String snapshot(String order, String phase) {
    return order + ", " + phase;
  }

  private static String grouped(long number) {
    return NumberFormat.getIntegerInstance(Locale.ROOT).format(number);
  }
}
