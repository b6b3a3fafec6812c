package dev.mailroom.benchmarks.comparison;

import dev.mailroom.benchmarks.comparison.results.ContenderFacts;
import dev.mailroom.benchmarks.comparison.results.DatabaseFacts;
import dev.mailroom.benchmarks.comparison.results.Measurement;
import java.util.List;

/**
 * What a comparison has found, whatever it ran on.
 *
 * @param databases the servers, with their settings
 * @param contenders who took part
 * @param measurements what was measured
 * @param notes what a reader has to know, such as a contender that broke off
 */
public record Findings(
    List<DatabaseFacts> databases,
    List<ContenderFacts> contenders,
    List<Measurement> measurements,
    List<String> notes) {}
