package dev.mailroom.memory;

import dev.mailroom.messages.LastError;
import java.time.Instant;

/**
 * How a message died.
 *
 * @param number its place in the order of deaths, and the cursor of pages
 * @param error why
 * @param at when
 */
record DeadLetterRecord(long number, LastError error, Instant at) {}
