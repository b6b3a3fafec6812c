package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.Comparison;
import dev.mailroom.benchmarks.comparison.Findings;
import dev.mailroom.benchmarks.comparison.Progress;
import dev.mailroom.benchmarks.comparison.Selection;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.peers.Peers;
import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.Names;
import java.time.Duration;
import java.util.List;

/** All workloads, over Mailroom, its peers and the floor. */
public final class Workloads implements Comparison {
  private static final List<Workload> ALL =
      List.of(
          new Workload(List.of(Names.APPEND), Throughput::append),
          new Workload(List.of(Names.COALESCED_APPEND), Throughput::coalescedAppend),
          new Workload(List.of(Names.BULK_APPEND), Throughput::bulkAppend),
          new Workload(List.of(Names.DRAIN), Throughput::drain),
          new Workload(List.of(Names.ORDERED), Throughput::ordered),
          new Workload(List.of(Names.LATENCY), Latency::run),
          new Workload(List.of(Names.TIMERS), Latency::timers),
          new Workload(List.of(Names.STEADY), Steady::run),
          new Workload(List.of(Names.GROWTH, Names.HEAP), Backlogs::growth),
          new Workload(List.of(Names.DELAYED), Backlogs::delayed),
          new Workload(List.of(Names.COST), Cost::run));

  private static final Selection EVERYTHING = new Selection(false, List.of(), List.of(), List.of());

  private final List<Entry> peers;

  /** With all peers. */
  public Workloads() {
    this(Peers.all());
  }

  Workloads(List<Entry> peers) {
    this.peers = List.copyOf(peers);
  }

  @Override
  public List<String> workloads() {
    return ALL.stream().flatMap(workload -> workload.names().stream()).toList();
  }

  @Override
  public List<String> contenders() {
    return Field.of(peers, EVERYTHING).facts().stream().map(ContenderFacts::name).toList();
  }

  @Override
  public Findings run(Selection selection, Progress progress) throws InterruptedException {
    return run(Plan.of(selection.quick()), selection, progress);
  }

  Findings run(Plan plan, Selection selection, Progress progress) throws InterruptedException {
    try (Session session = new Session(plan, Field.of(peers, selection), selection, progress)) {
      if (selection.workloads().isEmpty() && selection.databases().isEmpty()) {
        progress.expects(plan.limit());
      }
      for (Workload workload : ALL) {
        if (workload.isWanted(selection.workloads())) {
          run(workload, session);
        }
      }
      return session.findings();
    }
  }

  private static void run(Workload workload, Session session) throws InterruptedException {
    try {
      workload.part().run(session);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      session.note(String.join(", ", workload.names()) + ": " + Reasons.of(e));
    }
  }

  @Override
  public Findings snapshot(Duration held, Progress progress) throws Exception {
    Field field = Field.of(List.of(), EVERYTHING);
    try (Session session = new Session(Plan.full(), field, EVERYTHING, progress)) {
      new Snapshot(session, session.server(DatabaseKind.POSTGRESQL), held).run();
      return session.findings();
    }
  }
}
