package dev.mailroom.mediator;

import org.jspecify.annotations.Nullable;

/**
 * Asks for something to be found out, changing nothing. Exactly one handler answers.
 *
 * @param <R> the result's type
 */
public interface Query<R extends @Nullable Object> {}
