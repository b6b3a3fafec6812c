package dev.mailroom.benchmarks.comparison.workload;

import dev.mailroom.benchmarks.comparison.contender.Contender;
import dev.mailroom.benchmarks.comparison.contender.Entry;
import dev.mailroom.benchmarks.comparison.contender.Job;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast messages are stored by some threads at once; nobody handles them meanwhile. They begin
 * before the time does, to get warm. After it the table must hold every message whose append has
 * returned.
 *
 * @param perTransaction how many messages each transaction has
 */
record Appends(Server server, int threads, int perTransaction) {
  private static final Duration RAMP = Duration.ofMillis(500);

  Reading measure(Entry entry, Duration time) throws Exception {
    Tally tally = new Tally(0);
    try (Arena arena = Arena.open(server);
        Contender contender = entry.open(arena.place(tally), entry.sweep().get(0))) {
      arena.settleDown();
      AtomicLong next = new AtomicLong();
      AtomicLong stored = new AtomicLong();
      Reading reading;
      try (Crew crew = new Crew(threads)) {
        crew.repeat(
            () -> {
              List<Job> jobs = Jobs.in(0).of(next.getAndAdd(perTransaction), perTransaction);
              contender.append(jobs);
              stored.addAndGet(perTransaction);
            });
        crew.work(time.compareTo(RAMP) < 0 ? time : RAMP, () -> stored.get() > 0);
        Meter meter = Meter.begin(server);
        long before = stored.get();
        crew.work(time, () -> stored.get() > before);
        reading = meter.read(stored.get() - before);
        crew.end();
      }
      tally.check(stored.get(), contender.left());
      return reading;
    }
  }
}
