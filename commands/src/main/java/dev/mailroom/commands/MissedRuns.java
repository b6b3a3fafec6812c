package dev.mailroom.commands;

/**
 * What becomes of the times that passed while no process ran a recurring command. The waiting run
 * comes in any case, however late.
 */
public enum MissedRuns {
  /** They are left out: after an outage the command runs once, and then at the next time. */
  SKIP,
  /** Each of them is made up for, one after another, oldest first. */
  CATCH_UP
}
