package dev.mailroom.messages;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which message to cancel or move. */
public sealed interface Target {

  /** The message with this id. */
  static Target id(UUID id) {
    return new ById(id);
  }

  /** The message with this deduplication key and no tenant. */
  static Target key(String deduplicationKey) {
    return new ByKey(null, deduplicationKey);
  }

  /**
   * The same message even if it is leased: the lease is taken away from it first, the attempt is
   * given back, and what its worker reports is refused as lost.
   */
  Target includingLeased();

  /** Whether a lease does not protect it. */
  boolean includesLeased();

  /**
   * By id.
   *
   * @param id the message's id
   * @param includesLeased whether a lease does not protect it
   */
  record ById(UUID id, boolean includesLeased) implements Target {
    /** Refuses null. */
    public ById {
      Objects.requireNonNull(id, "id");
    }

    /** Unless it is leased. */
    public ById(UUID id) {
      this(id, false);
    }

    @Override
    public Target includingLeased() {
      return new ById(id, true);
    }
  }

  /**
   * By deduplication key.
   *
   * @param tenant whose, or null
   * @param deduplicationKey the key under which it was stored
   * @param includesLeased whether a lease does not protect it
   */
  record ByKey(@Nullable String tenant, String deduplicationKey, boolean includesLeased)
      implements Target {
    /** Checks the key; a blank tenant means none. */
    public ByKey {
      tenant = Limits.key("tenant", tenant);
      Limits.requireName("deduplication key", deduplicationKey);
    }

    /** Unless it is leased. */
    public ByKey(@Nullable String tenant, String deduplicationKey) {
      this(tenant, deduplicationKey, false);
    }

    @Override
    public Target includingLeased() {
      return new ByKey(tenant, deduplicationKey, true);
    }
  }
}
