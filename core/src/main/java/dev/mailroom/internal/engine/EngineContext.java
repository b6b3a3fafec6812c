package dev.mailroom.internal.engine;

import dev.mailroom.internal.StorageRetries;
import dev.mailroom.spi.Telemetry;
import dev.mailroom.time.TimeSource;
import java.util.random.RandomGenerator;

/**
 * What all services share.
 *
 * @param time the clocks
 * @param random for jitter and ids; thread-safe
 * @param telemetry receives counters, measures and spans
 * @param storageRetries retries calls of a store after transient errors
 * @param waker forwards wake-ups to the channel engines
 */
public record EngineContext(
    TimeSource time,
    RandomGenerator random,
    Telemetry telemetry,
    StorageRetries storageRetries,
    Waker waker) {}
