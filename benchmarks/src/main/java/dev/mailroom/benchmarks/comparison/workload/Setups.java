package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Setup;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which of its own settings each contender is measured with: those with which it drains fastest. A
 * contender is swept before its first run in which they matter, and keeps what was found.
 */
final class Setups {
  private static final int SWEPT_GROUPS = 1_000;
  private static final int WARM_UPS = 3;
  private static final double SLOW = 1_000;
  private static final double FASTER = 1.5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Session session;
  private final Map<Where, Setup> best = new HashMap<>();

  private record Where(String database, Entry entry) {}

  Setups(Session session) {
    this.session = session;
  }

  /** The best for draining on that server, found by a sweep if it is not known yet. */
  Setup best(Server server, Entry entry) throws InterruptedException {
    Where where = new Where(server.name(), entry);
    Setup known = best.get(where);
    if (known == null) {
      known = sweeps(entry) ? sweep(server, entry) : entry.sweep().get(0);
      best.put(where, known);
    }
    return known;
  }

  /** What was used there, in words. */
  String text(String database, Entry entry) {
    Setup setup = best.get(new Where(database, entry));
    return setup == null ? "" : setup.toString();
  }

  private boolean sweeps(Entry entry) {
    return !session.plan().timing().sweep().isZero()
        && entry.sweep().size() > 1
        && entry.abilities().contains(Ability.DRAIN);
  }

  private Setup sweep(Server server, Entry entry) throws InterruptedException {
    List<Setup> all = entry.sweep();
    Duration time = session.plan().timing().sweep();
    warmUp(server, entry, time);
    Setup best = all.get(0);
    double highest = 0;
    for (Setup setup : all) {
      @Nullable Double rate = rate(server, entry, setup, time);
      if (rate != null && rate > highest) {
        highest = rate;
        best = setup;
      }
    }
    return best;
  }

  /** As long as that makes it faster: otherwise whichever setup comes later would win. */
  private void warmUp(Server server, Entry entry, Duration time) throws InterruptedException {
    double before = SLOW;
    boolean faster = true;
    for (int i = 0; faster && i < WARM_UPS; i++) {
      Double rate = rate(server, entry, entry.sweep().get(0), time);
      faster = rate != null && rate > before * FASTER;
      before = rate == null ? before : rate;
    }
  }

  private @Nullable Double rate(Server server, Entry entry, Setup setup, Duration time)
      throws InterruptedException {
    String what = server.name() + ", sweep, " + entry.name() + ", " + setup;
    try {
      int groups = entry.abilities().contains(Ability.ORDER) ? SWEPT_GROUPS : 0;
      Drain drain = Drain.in(session, server, groups);
      double rate = Watched.call(() -> drain.measure(entry, setup, time), PATIENCE).value();
      session.say(String.format(Locale.ROOT, "%s: %,.0f messages/s", what, rate));
      return rate;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      session.note(what + ": " + Reasons.of(e));
      return null;
    }
  }
}
