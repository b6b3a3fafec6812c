/** Mailroom, its peers and the raw-SQL floor, measured in one run. */
@NullMarked
package dev.mailroom.benchmarks.comparison;

import org.jspecify.annotations.NullMarked;
