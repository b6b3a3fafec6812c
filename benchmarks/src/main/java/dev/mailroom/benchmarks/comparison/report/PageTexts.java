package dev.mailroom.benchmarks.comparison.report;

/** The paragraphs of the page that are the same for every run. */
final class PageTexts {
  static final String METHOD =
      """
      - Everyone stores the same payload, 200 bytes of JSON, and decodes it with Jackson into a
        record when it is handled.
      - Everyone has the same pool of ten connections, on the same server, which waits for the disk
        at every commit.
      - Everyone runs on its own documented best path, with the best of a small sweep over its own
        settings.
      - Contenders take turns, round by round, after a warm-up; each begins with empty tables, a
        vacuum and a checkpoint.
      - Each gets the same time per workload, not the same count: the slow are not waited for, the
        fast are not cut short.
      - Every handled message is noted in the same ledger. A run counts only if every message was
        handled once, and in order where order is promised.
      - The floor is a loop in raw SQL that leases a batch, decodes and deletes it, at the best of
        several batch sizes and numbers of connections. It has no attempts, no leases that end, no
        retries, no order.
      - Ratios are those of medians. They travel between machines better than the figures do.
      - Of transaction-outbox there is a newer major version (7), which could not be had when this
        was made; 4.2 has neither order nor delays.
      """;

  static final String REPEAT =
      """
      With a JDK 17 or newer and Maven; PostgreSQL and MariaDB come with it and are started for the
      run.

      ```
      ./mailroom bench --quick                    # does everything work? under 3 minutes
      ./mailroom bench                            # all of it, about half an hour on an idle machine
      ./mailroom bench --only drain,ordered --contender mailroom,db-scheduler
      ./mailroom bench --url 'jdbc:postgresql://127.0.0.1/postgres?user=me&password=secret'
      ./mailroom bench snapshot                   # the held snapshot, a run of its own
      ./mailroom bench compare docs/benchmarks/results.json mine/results.json
      ```

      A run prints its tables and leaves its JSON file and charts in the directory that it names at
      the end (`--out` names another). To renew this page: `./mailroom bench --out
      docs/benchmarks`, then `./mailroom bench page`. What is there is never replaced: a second run
      becomes `results-2.json` and is compared on the page; remove the old files to begin anew.
      A run on a stock server (`--url`, with a user who may create databases) is kept as
      `stock.json`.
      """;

  private PageTexts() {}
}
