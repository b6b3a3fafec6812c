package dev.mailroom.benchmarks.comparison.report;

import dev.mailroom.benchmarks.comparison.results.Measurement;
import dev.mailroom.benchmarks.comparison.results.Names;
import dev.mailroom.benchmarks.comparison.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The tables that the console and the page have in common. */
final class Summary {
  private final Results results;
  private final Races races;

  Summary(Results results, Races races) {
    this.results = results;
    this.races = races;
  }

  /** A run that is not worth it gets no verdicts, whichever they would be. */
  Table goals() {
    Table table = Table.of("goal", "wanted", "seen", "");
    for (Goal goal : new Goals(races).all()) {
      table.row(goal.name(), goal.wanted(), goal.found(), verdict(goal));
    }
    return table;
  }

  private String verdict(Goal goal) {
    return goal.seen().isEmpty() || results.isWorthAVerdict() ? goal.verdict() : "no verdict";
  }

  /** Everyone as a share of the floor, where there is one. */
  Table ofFloor() {
    List<Race> measured = races.all().stream().filter(race -> race.floor().isPresent()).toList();
    List<String> peers = peersOf(measured);
    List<String> headers = new ArrayList<>(List.of("workload", "Mailroom"));
    headers.addAll(peers);
    Table table = new Table(headers);
    for (Race race : measured) {
      List<String> row = new ArrayList<>();
      row.add(Catalogue.title(race.key()));
      row.add(Numbers.ratio(race.oursOfFloor()));
      for (String peer : peers) {
        Optional<Measurement> one = race.peer(peer);
        row.add(Numbers.ratio(one.isEmpty() ? OptionalDouble.empty() : race.ofFloor(one.get())));
      }
      table.row(row);
    }
    return table;
  }

  /** How many times as good as each peer Mailroom is. */
  Table multiples() {
    List<Race> measured =
        races.all().stream()
            .filter(race -> race.ours().isPresent() && !race.peers().isEmpty())
            .toList();
    List<String> peers = peersOf(measured);
    List<String> headers = new ArrayList<>(List.of("workload"));
    headers.addAll(peers);
    Table table = new Table(headers);
    for (Race race : measured) {
      List<String> row = new ArrayList<>();
      row.add(Catalogue.title(race.key()));
      for (String peer : peers) {
        Optional<Measurement> one = race.peer(peer);
        row.add(Numbers.times(one.isEmpty() ? OptionalDouble.empty() : race.oursOf(one.get())));
      }
      table.row(row);
    }
    return table;
  }

  private static List<String> peersOf(List<Race> races) {
    return races.stream()
        .flatMap(race -> race.peers().stream())
        .map(Measurement::contender)
        .distinct()
        .toList();
  }

  /** The numbers themselves. */
  Table figures() {
    Table table = new Table(figureHeaders("workload"));
    for (Race race : races.all()) {
      race.everybody().forEach(one -> table.row(figures(Catalogue.title(race.key()), one)));
    }
    return table;
  }

  /** The same in a table per workload and database, by its title. */
  Map<String, Table> figuresByWorkload() {
    Map<String, Table> tables = new LinkedHashMap<>();
    for (Race race : races.all()) {
      Table table =
          tables.computeIfAbsent(
              Catalogue.heading(race.key()), unused -> new Table(figureHeaders("variant")));
      race.everybody().forEach(one -> table.row(figures(race.key().variant(), one)));
    }
    return tables;
  }

  private static List<String> figureHeaders(String first) {
    return List.of(first, "contender", "median", "unit", "spread", "rounds", "setup", "also");
  }

  private static List<String> figures(String first, Measurement one) {
    return List.of(
        first,
        one.contender(),
        Numbers.plain(one.median()),
        one.unit(),
        Numbers.percent(one.spread()),
        String.valueOf(one.rounds().size()),
        one.setup(),
        extras(one));
  }

  private static String extras(Measurement one) {
    return one.extra().entrySet().stream()
        .map(
            extra ->
                extra.getKey().equals(Names.P99)
                    ? "p99 " + Numbers.plain(extra.getValue())
                    : Numbers.plain(extra.getValue()) + " " + extra.getKey())
        .collect(Collectors.joining("; "));
  }
}
