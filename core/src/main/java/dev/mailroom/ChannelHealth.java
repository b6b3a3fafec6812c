package dev.mailroom;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a channel is doing in this process.
 *
 * @param channel its name
 * @param running whether its loops run
 * @param paused whether it was paused in this process
 * @param lastSuccess when a claim last succeeded, by this host's clock; null if never
 * @param consecutiveFailures how many claims have failed since
 * @param oldestDue how long the oldest ready message has been due; null if there is none or the
 *     store cannot tell
 */
public record ChannelHealth(
    String channel,
    boolean running,
    boolean paused,
    @Nullable Instant lastSuccess,
    int consecutiveFailures,
    @Nullable Duration oldestDue) {}
