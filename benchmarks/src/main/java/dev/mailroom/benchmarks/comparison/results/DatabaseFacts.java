package dev.mailroom.benchmarks.comparison.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A server that was measured on.
 *
 * @param name as in {@link Measurement#database()}, such as {@link Names#POSTGRESQL}
 * @param version of the server
 * @param settings those that decide about durability and speed, by their names
 */
public record DatabaseFacts(String name, String version, Map<String, String> settings) {
  public DatabaseFacts {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
