package dev.mailroom.benchmarks.mediator;

import dev.mailroom.benchmarks.mediator.Warehouse.Move;
import dev.mailroom.benchmarks.mediator.Warehouse.Scrap;
import dev.mailroom.benchmarks.mediator.Warehouse.Ship;
import dev.mailroom.benchmarks.mediator.Warehouse.Store;
import dev.mailroom.mediator.Mediator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The same four methods called directly and by the mediator. The commands are there before, so that
 * what is allocated is the mediator's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MediatorSend {
  private final Warehouse warehouse = new Warehouse();
  private final Mediator mediator = warehouse.mediator();
  private final Move[] moves = {new Ship(1), new Store(2), new Scrap(3)};
  private int next;

  /** Commands of one type, four calls. */
  @Benchmark
  public long directOneType() {
    return direct(moves[0]);
  }

  /** Commands of one type, through the mediator. */
  @Benchmark
  public long sendOneType() {
    mediator.send(moves[0]);
    return warehouse.total();
  }

  /** Commands of three types in turn, four calls. */
  @Benchmark
  public long directThreeTypes() {
    return direct(turn());
  }

  /** Commands of three types in turn, through the mediator. */
  @Benchmark
  public long sendThreeTypes() {
    mediator.send(turn());
    return warehouse.total();
  }

  private long direct(Move move) {
    warehouse.check(move);
    warehouse.reserve(move);
    warehouse.move(move);
    warehouse.note(move);
    return warehouse.total();
  }

  private Move turn() {
    next = next == 2 ? 0 : next + 1;
    return moves[next];
  }
}
