package dev.mailroom.spi;

import java.time.Instant;
import java.util.UUID;

/**
 * What became of one appended message.
 *
 * @param id the stored message: the appended one, or the first one if it was a duplicate
 * @param accepted true if it was stored, false if it is a duplicate
 * @param acceptedAt when the stored message was accepted, by the store's clock
 */
public record AppendResult(UUID id, boolean accepted, Instant acceptedAt) {}
