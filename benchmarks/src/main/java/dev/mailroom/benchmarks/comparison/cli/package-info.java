/** The command line of the comparison. */
@NullMarked
package dev.mailroom.benchmarks.comparison.cli;

import org.jspecify.annotations.NullMarked;
