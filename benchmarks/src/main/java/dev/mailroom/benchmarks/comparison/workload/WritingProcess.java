package dev.mailroom.benchmarks.comparison.workload;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.DatabaseKind;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Place;
import dev.mailroom.benchmarks.comparison.ours.FloorEntry;
import dev.mailroom.benchmarks.comparison.ours.MailroomEntry;
import dev.mailroom.benchmarks.comparison.ours.Mode;
import dev.mailroom.benchmarks.comparison.peers.Peers;
import dev.mailroom.databases.ChildJvm;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;

/** A process that writes messages for another to handle, and says when each append returned. */
final class WritingProcess {
  private static final int MEGABYTES = 256;

  private WritingProcess() {}

  static ChildJvm start(Arena arena, Entry entry, PacedWriter writer) {
    return ChildJvm.start(
        WritingProcess.class,
        MEGABYTES,
        entry.name(),
        arena.server().kind().name(),
        arena.url(),
        "" + writer.count(),
        "" + writer.rate(),
        "" + writer.threads());
  }

  /** When each append returned, after the process has ended. */
  static long[] times(ChildJvm child, int count) {
    // The first sign was that it is ready.
    List<String> signs = child.signs();
    long[] times = signs.stream().skip(1).mapToLong(Long::parseLong).toArray();
    if (times.length != count) {
      throw new IllegalStateException(
          "The writing process told of " + times.length + " messages, not of " + count);
    }
    return times;
  }

  /** Arguments: contender, database, its URL, how many messages, per second, threads. */
  public static void main(String[] arguments) throws Exception {
    Entry entry =
        Stream.concat(
                Stream.of(new FloorEntry(), new MailroomEntry(Mode.SINGLE)), Peers.all().stream())
            .filter(each -> each.name().equals(arguments[0]))
            .findFirst()
            .orElseThrow();
    PacedWriter writer =
        PacedWriter.of(
            Integer.parseInt(arguments[3]),
            Double.parseDouble(arguments[4]),
            Integer.parseInt(arguments[5]));
    try (HikariDataSource pool = Arena.pool(arguments[2]);
        Contender contender =
            entry.open(
                new Place(
                    DatabaseKind.valueOf(arguments[1]),
                    arguments[2],
                    pool,
                    number -> {
                      throw new IllegalStateException("This process does not handle anything");
                    }),
                entry.sweep().get(0))) {
      ChildJvm.serve();
      AtomicLongArray returned = writer.write(contender).returned();
      for (int number = 0; number < returned.length(); number++) {
        ChildJvm.say("" + returned.get(number));
      }
    }
  }
}
