/** Shows results: as tables on the console, as charts, as a page of the documentation. */
@NullMarked
package dev.mailroom.benchmarks.comparison.report;

import org.jspecify.annotations.NullMarked;
