package dev.mailroom.spi;

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
   * By id.
   *
   * @param id the message's id
   */
  record ById(UUID id) implements Target {
    /** Refuses null. */
    public ById {
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * By deduplication key.
   *
   * @param tenant whose, or null
   * @param deduplicationKey the key under which it was stored
   */
  record ByKey(@Nullable String tenant, String deduplicationKey) implements Target {
    /** Checks the key; a blank tenant means none. */
    public ByKey {
      tenant = Limits.key("tenant", tenant);
      Limits.requireName("deduplication key", deduplicationKey);
    }
  }
}
