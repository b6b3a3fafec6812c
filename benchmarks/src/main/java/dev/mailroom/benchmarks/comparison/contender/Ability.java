package dev.mailroom.benchmarks.comparison.contender;

/** What a contender can do, and so which workloads it takes part in. */
public enum Ability {
  /** Works off a backlog that was appended before it started. */
  DRAIN,
  /** Handles what is appended while it runs. */
  STREAM,
  /** Handles the jobs of a group one after another, in the order of their appends. */
  ORDER,
  /** Handles a job when its delay is over. */
  DELAY,
  /** Stores many jobs with fewer statements than one for each. */
  BULK_APPEND,
  /** Its append joins the caller's transaction: rolled back, it has never happened. */
  TRANSACTIONAL_APPEND,
  /** Gives its handler many jobs at once. */
  BATCHED,
  /** Commits what the handler writes together with the outcome of the job. */
  TRANSACTIONAL_HANDLER
}
