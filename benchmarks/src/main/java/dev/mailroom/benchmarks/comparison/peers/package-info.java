/** The other libraries of the comparison, each on the path that its documentation recommends. */
@NullMarked
package dev.mailroom.benchmarks.comparison.peers;

import org.jspecify.annotations.NullMarked;
