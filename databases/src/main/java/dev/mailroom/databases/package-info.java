/**
 * Real databases for tests and benchmarks, from Maven artifacts alone.
 *
 * <p>{@link dev.mailroom.databases.PostgresServer} and {@link dev.mailroom.databases.MariaDbServer}
 * start a server when it is first asked for, at most once in a JVM for each combination of
 * settings. A test class then takes a {@link dev.mailroom.databases.Database} of its own, which
 * costs a few milliseconds. {@link dev.mailroom.databases.H2Memory}, {@link
 * dev.mailroom.databases.H2File} and {@link dev.mailroom.databases.SqliteFile} are databases
 * without a server.
 *
 * <p>What a JVM writes is below one directory in {@code java.io.tmpdir}, and is deleted when the
 * JVM ends. Only the unpacked servers are kept there, for the next JVM.
 */
@NullMarked
package dev.mailroom.databases;

import org.jspecify.annotations.NullMarked;
