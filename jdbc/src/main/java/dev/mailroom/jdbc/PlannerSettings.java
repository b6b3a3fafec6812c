package dev.mailroom.jdbc;

import java.sql.SQLException;
import java.util.Locale;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings with which PostgreSQL plans the store's statements. Each is set for one transaction
 * only: there is no session state, so a pooling proxy may give every transaction another session.
 *
 * <p>JIT is always among them. Up to PostgreSQL 17 the planner adds ten billion to the cost of a
 * node whose type is disabled and cannot be avoided. That is above {@code jit_above_cost}, so a
 * stock server would compile the statement anew, for more than a second, whenever it is executed.
 */
enum PlannerSettings {
  /**
   * A plan is made when a table is empty and kept when it is not: with sequential scans, a
   * statement that was planned on an idle evening would read the whole backlog for every row.
   */
  ENABLE_SEQSCAN("off"),

  /** A bitmap collects all rows before the first is used, whatever the limit. */
  ENABLE_BITMAPSCAN("off"),

  /**
   * With a sort, a planner that takes a table for nearly empty uses any index that begins with the
   * channel, and walks over all that was ever there.
   */
  ENABLE_SORT("off"),

  /** One plan is as good for all values, and need not be made anew for each. */
  PLAN_CACHE_MODE("force_generic_plan"),

  /** The statements run for less time than it takes to compile them. */
  JIT("off");

  /** For a transaction of the store's own. */
  static final String OWN = set(values());

  /** What an append needs: its statements sort a few values, but no rows of a table. */
  static final PlannerSettings[] OF_APPENDS = {ENABLE_SEQSCAN, PLAN_CACHE_MODE, JIT};

  private static final Collector<CharSequence, ?, String> SELECTED =
      Collectors.joining(", ", "SELECT ", "");

  private final String value;

  PlannerSettings(String value) {
    this.value = value;
  }

  /** Sets some of them; a part of a list of values to select. */
  static String set(PlannerSettings... some) {
    return Stream.of(some)
        .map(each -> set(each.key(), "'" + each.value + "'"))
        .collect(Collectors.joining(", "));
  }

  /** An append for a transaction of the caller, whose other statements are planned as before. */
  static String appendForCaller(String append) {
    return borrow(OF_APPENDS) + ";\n" + append + ";\n" + giveBack(OF_APPENDS);
  }

  /** Runs several statements in a transaction of the caller, whose others are planned as before. */
  static <T> T runForCaller(Session session, Transactions.Work<T> work) throws SQLException {
    session.call(borrow(values())).list(row -> 0);
    T answer;
    try {
      answer = work.run(session);
    } catch (SQLException | RuntimeException e) {
      restoreAfter(e, session);
      throw e;
    }
    session.call(giveBack(values())).list(row -> 0);
    return answer;
  }

  /** The caller may go on after a refusal; a transaction that the server has aborted cannot. */
  private static void restoreAfter(Exception failure, Session session) {
    try {
      session.call(giveBack(values())).list(row -> 0);
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** Saves the caller's settings, and replaces them. */
  private static String borrow(PlannerSettings... some) {
    return Stream.of(some).map(PlannerSettings::save).collect(SELECTED) + ", " + set(some);
  }

  /** Restores the caller's settings. */
  private static String giveBack(PlannerSettings... some) {
    return Stream.of(some).map(PlannerSettings::restore).collect(SELECTED);
  }

  private String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  private String save() {
    return set("mailroom." + key(), "current_setting('" + key() + "')");
  }

  private String restore() {
    return set(key(), "current_setting('mailroom." + key() + "')");
  }

  private static String set(String name, String value) {
    return "set_config('" + name + "', " + value + ", true)";
  }
}
