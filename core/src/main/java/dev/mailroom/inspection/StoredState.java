package dev.mailroom.inspection;

import dev.mailroom.messages.Payload;

/**
 * State as a store holds it.
 *
 * @param version at least 1
 * @param value its value
 */
public record StoredState(long version, Payload value) {}
