package dev.mailroom.messages;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a message has come.
 *
 * @param sequence its place in the order of its group; monotonic within a channel
 * @param attempts how often a handler was given it, this time included; given back on release,
 *     deferral, parking and crash
 * @param crashes how often a lease on it expired
 * @param deferrals how often its handler asked for a retry later
 * @param parkedSince since when no worker has found a handler or the contract for it, or null
 * @param lastError why it failed last, or null
 */
public record Progress(
    long sequence,
    int attempts,
    int crashes,
    int deferrals,
    @Nullable Instant parkedSince,
    @Nullable LastError lastError) {}
