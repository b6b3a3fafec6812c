package dev.mailroom.messages;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When things happen to a message, all by the store's clock except {@code receivedAt}.
 *
 * @param createdAt when the store accepted it
 * @param receivedAt when the application says it came in; for display and age, never for order
 * @param visibleAt from when on it can be leased
 * @param expiresAt after which it is dead-lettered as expired instead of handled, or null
 */
public record Timing(
    Instant createdAt, Instant receivedAt, Instant visibleAt, @Nullable Instant expiresAt) {}
