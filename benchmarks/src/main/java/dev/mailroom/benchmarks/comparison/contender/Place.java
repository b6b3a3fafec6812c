package dev.mailroom.benchmarks.comparison.contender;

import javax.sql.DataSource;

/**
 * Where a contender works.
 *
 * @param kind which database it is
 * @param url where the database is, user and password included, for what cannot use a pool
 * @param pool the connections, as many for every contender
 * @param ledger is told of what was handled
 */
public record Place(DatabaseKind kind, String url, DataSource pool, Ledger ledger) {}
