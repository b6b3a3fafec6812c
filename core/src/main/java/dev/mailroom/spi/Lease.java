package dev.mailroom.spi;

import dev.mailroom.messages.Message;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The right of one worker to handle some messages until a time.
 *
 * @param token random at every claim; the fence
 * @param leasedAt when it was taken, by the store's clock
 * @param messages at least one, sorted by sequence
 */
public record Lease(UUID token, Instant leasedAt, List<Message> messages) {}
