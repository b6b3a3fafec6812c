package dev.mailroom.jdbc;

import dev.mailroom.jdbc.OrderedClaim.Looked;
import dev.mailroom.jdbc.PostgresLine.State;
import dev.mailroom.jdbc.Watermark.Range;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.time.TimeSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims on PostgreSQL: it asks what there is to do, and if that is nothing but to lease what is
 * ready one statement does so; otherwise it takes the steps that are called for.
 */
final class PostgresClaims extends Claims {
  private final PostgresGroups turns;
  private final Places places;
  private final Reach reach;
  private final GroupStarts starts;
  private final TimeSource clock;
  private final Watermarks watermarks;
  private final Map<Integer, Yield> yields = new ConcurrentHashMap<>();

  PostgresClaims(PostgresGroups groups, Places places, Reach reach, GroupStarts starts) {
    this(groups, places, reach, starts, TimeSource.system());
  }

  /**
   * Makes it.
   *
   * @param clock tells how long a look takes, and when the next one is due
   */
  PostgresClaims(
      PostgresGroups groups, Places places, Reach reach, GroupStarts starts, TimeSource clock) {
    super(groups);
    this.turns = groups;
    this.places = places;
    this.reach = reach;
    this.starts = starts;
    this.clock = clock;
    this.watermarks = new Watermarks(clock);
  }

  @Override
  Claim lease(Transactions transactions, int id, Channel channel, LeaseRequest request) {
    UUID token = UUID.randomUUID();
    boolean ordered = channel.ordering() != Ordering.NONE;
    return transactions.briefly(
        "lease",
        session -> {
          Line line = new Line(session, id, channel);
          return ordered ? turns(line, request, token) : ready(line, request, token);
        });
  }

  /** Takes turns if there is nothing else to do, and otherwise does all that is called for. */
  private Claim turns(Line line, LeaseRequest request, UUID token) throws SQLException {
    Claiming claim = new Claiming(line, request, token);
    Watermark mark = watermarks.of(claim, true);
    if (mark.isLookDue(clock.nanos())) {
      return thorough(claim, PostgresLine.probe(line));
    }
    State state = quickly(claim, mark);
    if (state == null) {
      return thorough(claim, PostgresLine.probe(line));
    }
    if (claim.room() > 0 && line.channel().ordering() == Ordering.WHEN_KEYED) {
      fill(claim);
    }
    return claim.answer(claim.open(), state.nextDue());
  }

  /** Takes turns ahead of the watermark; null if there are none, or something comes first. */
  private @Nullable State quickly(Claiming claim, Watermark mark) throws SQLException {
    QuickTurns quick = new QuickTurns(claim, turns, starts);
    Yield yield = yields.computeIfAbsent(claim.line.id(), key -> new Yield());
    if (!quick.run(mark.next(clock.nanos()).after(), yield)) {
      return null;
    }
    mark.advance(quick.reach());
    places.remember(claim.token, quick.places());
    return quick.state();
  }

  /** Leases what is ready if there is nothing else to do, and otherwise all that is called for. */
  private Claim ready(Line line, LeaseRequest request, UUID token) throws SQLException {
    Claiming claim = new Claiming(line, request, token);
    Watermark mark = watermarks.of(claim, false);
    State state = PostgresLine.probe(line);
    if (state.isQuiet(claim.now())) {
      claim.onlyLeases();
      if (!mark.isLookDue(clock.nanos())) {
        take(claim, pickAhead(claim, mark));
        if (!claim.isEmpty()) {
          return claim.answer(claim.open(), state.nextDue());
        }
      }
    }
    return thorough(claim, state);
  }

  private Claim thorough(Claiming claim, State before) throws SQLException {
    Line line = claim.line;
    LeaseRequest request = claim.request;
    State state = before;
    if (state.isDue(claim.now())) {
      state = PostgresDueRows.move(claim, before, moves(request));
      if (state.isQuiet(claim.now())) {
        claim.onlyLeases(); // what was moved belongs to no group, and would be moved again
      }
    }
    if (state.suspects()) {
      Suspects.take(claim, due);
    }
    if (state.turns()) {
      if (line.channel().ordering() == Ordering.NONE) {
        PostgresLine.beAlone(line); // it was ordered once, and may still be so elsewhere
      }
      if (request.poisonMessages()) {
        OrderedClaim.takeSuspect(claim, groups);
      }
      takeTurns(claim);
    }
    boolean required = line.channel().ordering() == Ordering.REQUIRED;
    if (claim.room() > 0 && (!required || claim.isEmpty())) {
      fill(claim);
    }
    if (request.poisonMessages() && state.turns() && claim.isEmpty()) {
      OrderedClaim.takeSuspect(claim, groups); // a head that turned out to be one just now
    }
    boolean unchanged = !state.suspects() && !state.turns();
    return claim.answer(claim.open(), unchanged ? state.nextDue() : due.next(line));
  }

  /** The same for groups: the remains of turns that were taken lie in the way as well. */
  private void takeTurns(Claiming claim) throws SQLException {
    Watermark mark = watermarks.of(claim, true);
    boolean quick = false; // otherwise that was tried before
    if (mark.isLookDue(clock.nanos())) {
      lookBackForTurns(claim, mark);
      // Whoever holds a group does not see what has just joined it, which only the other way minds.
      quick = !claim.hasJoined() && claim.room() > 0 && quickly(claim, mark) != null;
    }
    if (!quick && claim.room() > 0) {
      Looked looked = OrderedClaim.take(claim, groups, mark.ahead());
      if (looked.picked() > 0) {
        mark.advance(looked.reach());
      }
    }
    Range recent = mark.recent(clock.nanos());
    if (claim.isEmpty() && !recent.isEmpty()) {
      OrderedClaim.take(claim, groups, recent);
    }
    if (claim.isEmpty() && watermarks.mayLookBack(claim, mark)) {
      lookBackForTurns(claim, mark);
    }
  }

  private void lookBackForTurns(Claiming claim, Watermark mark) throws SQLException {
    Range range = mark.behind();
    long start = clock.nanos();
    OrderedClaim.take(claim, groups, range);
    long end = clock.nanos();
    if (claim.room() > 0 && !mark.lookedAt(range, end, end - start)) {
      claim.comeAgain(Watermarks.micros(mark.restLeft(end)));
    }
  }

  /**
   * Fills the claim. Whatever has outlived its lifetime dies on the way. Nothing is written into
   * what is taken, so a second look would find it again.
   */
  private void fill(Claiming claim) throws SQLException {
    PostgresReady found;
    do {
      found = look(claim);
      take(claim, found);
    } while (found.allExpired() && claim.room() > 0);
  }

  private void take(Claiming claim, PostgresReady found) throws SQLException {
    found.into(claim);
    places.remember(claim.token, found.places());
    if (found.someExpired()) {
      claim.comeAgain();
    }
  }

  /** Looks ahead of the watermark, and behind it if it is time or if there is nothing ahead. */
  private PostgresReady look(Claiming claim) throws SQLException {
    Watermark mark = watermarks.of(claim, false);
    if (mark.isLookDue(clock.nanos())) {
      PostgresReady found = lookBack(claim, mark);
      if (found.size() > 0) {
        return found;
      }
    }
    PostgresReady found = pickAhead(claim, mark);
    Range recent = mark.recent(clock.nanos());
    if (found.size() == 0 && !recent.isEmpty()) {
      found = pick(claim, recent);
    }
    if (found.size() == 0 && watermarks.mayLookBack(claim, mark)) {
      found = lookBack(claim, mark);
    }
    return found;
  }

  private PostgresReady lookBack(Claiming claim, Watermark mark) throws SQLException {
    Range range = mark.behind();
    long start = clock.nanos();
    PostgresReady found = pick(claim, range);
    long end = clock.nanos();
    if (found.size() < claim.room()) {
      boolean ended = mark.lookedAt(range, end, end - start);
      if (found.size() > 0) {
        claim.comeAgain(); // what is ahead was not looked at
      } else if (!ended) {
        claim.comeAgain(Watermarks.micros(mark.restLeft(end)));
      }
    }
    return found;
  }

  /** If nothing more is ahead, then the next look begins behind all that was leased before this. */
  private PostgresReady pickAhead(Claiming claim, Watermark mark) throws SQLException {
    long leased = reach.of(claim.line.id());
    int room = claim.room();
    PostgresReady found = pick(claim, mark.ahead());
    mark.advance(found.size() < room ? Math.max(leased, found.last()) : found.last());
    return found;
  }

  private static PostgresReady pick(Claiming claim, Range range) throws SQLException {
    int most = Math.min(claim.room(), claim.graves());
    return PostgresReady.pick(claim.line, claim.request, range, most);
  }
}
