/** Durable timeouts, long-running processes with timeouts and compensations, and aggregation. */
@NullMarked
package dev.mailroom.processes;

import org.jspecify.annotations.NullMarked;
