package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.contender.Ability;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.ours.FloorEntry;
import dev.mailroom.benchmarks.comparison.ours.MailroomEntry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Who takes part.
 *
 * @param floor raw SQL, which always does
 * @param peers the other libraries
 * @param wanted beginnings of the names of those who are wanted; empty for all
 */
record Field(Entry floor, List<Entry> peers, List<String> wanted) {
  Field {
    peers = List.copyOf(peers);
    wanted = List.copyOf(wanted);
  }

  static Field of(List<Entry> peers, Selection selection) {
    return new Field(new FloorEntry(), peers, selection.contenders());
  }

  /** The floor, Mailroom in that mode, and the peers that are able to do this there. */
  List<Entry> line(DatabaseKind kind, Mode mode, Ability... needed) {
    List<Entry> line = ours(mode);
    for (Entry peer : peers) {
      if (isWanted(peer)
          && peer.databases().contains(kind)
          && peer.abilities().containsAll(List.of(needed))) {
        line.add(peer);
      }
    }
    return line;
  }

  /** Mailroom, and the peers that have timers there; the floor has none. */
  List<Entry> delaying(DatabaseKind kind) {
    return line(kind, Mode.SINGLE, Ability.DELAY).stream()
        .filter(entry -> entry.abilities().contains(Ability.DELAY))
        .toList();
  }

  /** The floor, and Mailroom in that mode. */
  List<Entry> ours(Mode mode) {
    List<Entry> line = new ArrayList<>();
    line.add(floor);
    line.addAll(mailroom(mode));
    return line;
  }

  /** Mailroom in that mode, if it is wanted. */
  List<Entry> mailroom(Mode mode) {
    Entry mailroom = new MailroomEntry(mode);
    return isWanted(mailroom) ? List.of(mailroom) : List.of();
  }

  /** All that can take part in something. */
  List<ContenderFacts> facts() {
    List<ContenderFacts> facts = new ArrayList<>();
    facts.add(facts(floor, Role.FLOOR));
    mailroom(Mode.SINGLE).forEach(entry -> facts.add(facts(entry, Role.OURS)));
    peers.stream().filter(this::isWanted).forEach(peer -> facts.add(facts(peer, Role.PEER)));
    return facts;
  }

  private static ContenderFacts facts(Entry entry, Role role) {
    return new ContenderFacts(entry.name(), entry.version(), role, entry.promises());
  }

  private boolean isWanted(Entry entry) {
    String name = entry.name().toLowerCase(Locale.ROOT);
    return wanted.isEmpty()
        || wanted.stream().anyMatch(each -> name.startsWith(each.toLowerCase(Locale.ROOT)));
  }
}
