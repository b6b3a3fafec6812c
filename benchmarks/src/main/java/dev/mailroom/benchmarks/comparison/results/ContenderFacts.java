package dev.mailroom.benchmarks.comparison.results;

import dev.mailroom.benchmarks.comparison.contender.Promises;

/**
 * Who took part.
 *
 * @param name as in {@link Measurement#contender()}
 * @param version of the library
 * @param role what it is in the comparison
 * @param promises what it says of itself
 */
public record ContenderFacts(String name, String version, Role role, Promises promises) {}
