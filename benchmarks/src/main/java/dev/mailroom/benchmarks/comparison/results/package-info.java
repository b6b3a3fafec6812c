/** What a comparison has measured: kept as JSON, shown as tables, charts and a page. */
@NullMarked
package dev.mailroom.benchmarks.comparison.results;

import org.jspecify.annotations.NullMarked;
