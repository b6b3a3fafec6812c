package dev.mailroom.mediator;

/**
 * Asks for something to be done. Exactly one handler does it. A command that answers with something
 * is a {@link ResultCommand}; handlers for {@code Command} before, after and on errors see both.
 */
public interface Command {}
