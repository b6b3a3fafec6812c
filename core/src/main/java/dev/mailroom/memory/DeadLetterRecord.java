package dev.mailroom.memory;

import dev.mailroom.messages.LastError;
import java.time.Instant;

/**
 * Why and when a message was dead-lettered.
 *
 * @param number its position in the order of dead letters, and the cursor of pages
 * @param error why
 * @param at when
 */
record DeadLetterRecord(long number, LastError error, Instant at) {}
