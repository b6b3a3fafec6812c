package dev.mailroom.messages;

import org.jspecify.annotations.Nullable;

/**
 * Where a message belongs. Keys compare by exact characters and are scoped by channel and tenant; a
 * blank key means none.
 *
 * @param tenant whose message it is, or null
 * @param groupKey the messages with this key are handled one after another, or null
 * @param deduplicationKey a second message with this key is a duplicate, or null
 * @param collapseKey a newer message with this key replaces older ones that are not leased, or null
 */
public record Routing(
    @Nullable String tenant,
    @Nullable String groupKey,
    @Nullable String deduplicationKey,
    @Nullable String collapseKey) {

  /** No tenant and no keys. */
  public static final Routing NONE = new Routing(null, null, null, null);

  /** Turns blank keys into none and refuses over-long ones. */
  public Routing {
    tenant = Limits.key("tenant", tenant);
    groupKey = Limits.key("group key", groupKey);
    deduplicationKey = Limits.key("deduplication key", deduplicationKey);
    collapseKey = Limits.key("collapse key", collapseKey);
  }
}
