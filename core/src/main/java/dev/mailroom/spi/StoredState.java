package dev.mailroom.spi;

import dev.mailroom.Payload;

/**
 * State as a store holds it.
 *
 * @param version at least 1
 * @param value its value
 */
public record StoredState(long version, Payload value) {}
