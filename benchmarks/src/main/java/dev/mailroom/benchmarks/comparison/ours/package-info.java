/** Mailroom in its modes, and the least that could be done in raw SQL. */
@NullMarked
package dev.mailroom.benchmarks.comparison.ours;

import org.jspecify.annotations.NullMarked;
