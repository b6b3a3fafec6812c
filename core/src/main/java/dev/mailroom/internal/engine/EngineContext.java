package dev.mailroom.internal.engine;

import dev.mailroom.internal.Repeating;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.time.TimeSource;
import java.util.random.RandomGenerator;

/**
 * What all services share.
 *
 * @param time the clocks
 * @param random for jitter and ids; safe for use by many threads
 * @param telemetry who is told
 * @param repeating repeats what failed for a moment
 * @param waker passes on hints that a channel has work
 */
public record EngineContext(
    TimeSource time,
    RandomGenerator random,
    Telemetry telemetry,
    Repeating repeating,
    Waker waker) {}
