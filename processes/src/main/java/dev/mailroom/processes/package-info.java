/** Durable timeouts, and the long-running processes and collections of messages that need them. */
@NullMarked
package dev.mailroom.processes;

import org.jspecify.annotations.NullMarked;
