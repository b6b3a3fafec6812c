package dev.mailroom.spi;

import dev.mailroom.messages.Limits;
import dev.mailroom.options.Ordering;
import java.util.Objects;

/**
 * A named line of messages with one ordering and one policy. It travels with every call, so that a
 * store keeps no configuration of its own.
 *
 * @param name not blank, at most {@link Limits#KEY_LENGTH} characters
 * @param ordering whether groups are handled in order
 * @param policy what the store decides by itself
 */
public record Channel(String name, Ordering ordering, ChannelPolicy policy) {

  /** Checks the name. */
  public Channel {
    Limits.requireName("channel name", name);
    Objects.requireNonNull(ordering, "ordering");
    Objects.requireNonNull(policy, "policy");
  }
}
