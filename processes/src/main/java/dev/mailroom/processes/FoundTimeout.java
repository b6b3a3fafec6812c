package dev.mailroom.processes;

import dev.mailroom.inspection.MessageState;

/**
 * A timeout and its state.
 *
 * @param timeout the timeout
 * @param state where it stands: scheduled until it is due, leased while it is dispatched
 */
public record FoundTimeout(StoredTimeout timeout, MessageState state) {}
