/** Steps of processes that are killed half-way, as by {@code kill -9}. */
@NullMarked
package dev.mailroom.processes.process;

import org.jspecify.annotations.NullMarked;
