package dev.mailroom.deadletters;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Selects dead letters; one must match every given part.
 *
 * @param ids these messages; empty means any
 * @param contract this contract name; null means any
 * @param tenant this tenant; null means any
 * @param groupKey this group; null means any
 * @param error this text occurs in the error's type or message, in any case; null means any
 * @param deadLetteredUntil dead-lettered at this time or before; null means any
 */
public record DeadLetterFilter(
    Set<UUID> ids,
    @Nullable String contract,
    @Nullable String tenant,
    @Nullable String groupKey,
    @Nullable String error,
    @Nullable Instant deadLetteredUntil) {

  private static final DeadLetterFilter ALL =
      new DeadLetterFilter(Set.of(), null, null, null, null, null);

  /** Copies the ids. */
  public DeadLetterFilter {
    ids = Set.copyOf(ids);
  }

  /** Every dead letter: the explicit yes that "all" needs. */
  public static DeadLetterFilter all() {
    return ALL;
  }

  /** These messages. */
  public static DeadLetterFilter of(UUID first, UUID... more) {
    Set<UUID> ids = new HashSet<>(List.of(more));
    ids.add(first);
    return new DeadLetterFilter(ids, null, null, null, null, null);
  }

  /** Only this contract's. */
  public DeadLetterFilter contract(String name) {
    return new DeadLetterFilter(ids, name, tenant, groupKey, error, deadLetteredUntil);
  }

  /** Only this tenant's. */
  public DeadLetterFilter tenant(String name) {
    return new DeadLetterFilter(ids, contract, name, groupKey, error, deadLetteredUntil);
  }

  /** Only this group's. */
  public DeadLetterFilter groupKey(String key) {
    return new DeadLetterFilter(ids, contract, tenant, key, error, deadLetteredUntil);
  }

  /** Only messages whose error's type or message contains the text, in any case. */
  public DeadLetterFilter error(String text) {
    return new DeadLetterFilter(ids, contract, tenant, groupKey, text, deadLetteredUntil);
  }

  /** Only messages that were dead-lettered at this time or before. */
  public DeadLetterFilter deadLetteredUntil(Instant time) {
    return new DeadLetterFilter(ids, contract, tenant, groupKey, error, time);
  }
}
