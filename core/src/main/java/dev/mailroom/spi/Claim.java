package dev.mailroom.spi;

import dev.mailroom.deadletters.DeadLetter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param lease what was leased, or null if there was nothing
 * @param deadLettered messages that crashed too often or outlived their lifetime, found at this
 *     claim; dead-lettered, or discarded where the channel keeps no dead letters
 * @param nextDue how long until a scheduled message becomes due, or less if the store has not
 *     looked at everything yet; null if there is no reason to ask again
 */
public record Claim(
    @Nullable Lease lease, List<DeadLetter> deadLettered, @Nullable Duration nextDue) {}
