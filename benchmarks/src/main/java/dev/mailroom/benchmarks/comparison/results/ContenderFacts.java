package dev.mailroom.benchmarks.comparison.results;

/**
 * Who took part.
 *
 * @param name as in {@link Measurement#contender()}
 * @param version of the library
 * @param role what it is in the comparison
 * @param promises what it promises of delivery, order and durability, in a sentence
 */
public record ContenderFacts(String name, String version, Role role, String promises) {}
