package dev.mailroom;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some dead letters, oldest death first.
 *
 * @param letters this page
 * @param next the cursor for the next page, or null if this is the last one
 * @param asOf the store's time of reading
 */
public record DeadLetterPage(List<DeadLetter> letters, @Nullable String next, Instant asOf) {}
