package dev.mailroom.benchmarks.postgres;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** The JDBC store on PostgreSQL with durable settings, beside raw SQL that does the same. */
public final class PostgresBenchmark {
  private static final String DRAIN = "postgres-drain";
  private static final String APPEND = "postgres-append";
  private static final String LATENCY = "postgres-latency";
  private static final String OUTBOX = "postgres-outbox";
  private static final String KAFKA = "postgres-kafka";
  private static final String TIMEOUTS = "postgres-timeouts";

  /** What can be run. */
  public static final List<String> PARTS = List.of(DRAIN, APPEND, LATENCY, OUTBOX, KAFKA, TIMEOUTS);

  private PostgresBenchmark() {}

  /** Runs those parts of it that are among the named ones. */
  public static void run(List<String> parts) throws Exception {
    Settings settings = new Settings();
    for (String part : PARTS) {
      if (parts.contains(part)) {
        Report report = Report.begin(Path.of("target", part + ".md"));
        report.say("%n# %s%n", part);
        recorded(settings, part, () -> run(part, settings, report));
      }
    }
  }

  private static void run(String part, Settings settings, Report report) throws Exception {
    switch (part) {
      case DRAIN -> new DrainPart(settings, report).run();
      case APPEND -> new AppendPart(settings, report).run();
      case LATENCY -> new LatencyPart(settings, report).run();
      case OUTBOX -> new OutboxPart(settings, report).run();
      case KAFKA -> new KafkaPart(settings, report).run();
      case TIMEOUTS -> new TimeoutsPart(settings, report).run();
      default -> throw new IllegalArgumentException(part);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Records what the JVM does, if a file for it is named. */
  private static void recorded(Settings settings, String part, Work work) throws Exception {
    String file = settings.text("jfr");
    if (file.isEmpty()) {
      work.run();
      return;
    }
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
      recording.start();
      work.run();
      recording.dump(Path.of(file));
      System.out.printf("The flight recording of %s is in %s%n", part, file);
    }
  }
}
