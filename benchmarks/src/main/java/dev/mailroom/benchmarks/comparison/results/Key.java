package dev.mailroom.benchmarks.comparison.results;

/**
 * What is measured, whoever takes part.
 *
 * @param workload see {@link Names}
 * @param variant of the workload, see {@link Names}
 * @param database the server's name, see {@link Names}
 */
public record Key(String workload, String variant, String database) {
  /** On PostgreSQL. */
  public static Key onPostgres(String workload, String variant) {
    return new Key(workload, variant, Names.POSTGRESQL);
  }

  /** On MariaDB. */
  public static Key onMariaDb(String workload, String variant) {
    return new Key(workload, variant, Names.MARIADB);
  }
}
