/** The JDBC store on PostgreSQL, beside raw SQL that does the least of the same. */
@NullMarked
package dev.mailroom.benchmarks.postgres;

import org.jspecify.annotations.NullMarked;
