package dev.mailroom.benchmarks.comparison.contender;

/**
 * What a library says of itself, in a few words each, so that a reader sees what the numbers buy.
 *
 * @param delivery how often a job is handled, and when it is given up
 * @param order which jobs are handled one after another
 * @param durability when a job is safe, and whether an append joins the caller's transaction
 */
public record Promises(String delivery, String order, String durability) {}
