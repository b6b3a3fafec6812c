package dev.mailroom.mediator;

import org.jspecify.annotations.Nullable;

/**
 * A command whose handler answers with a result.
 *
 * @param <R> the result's type
 */
public interface ResultCommand<R extends @Nullable Object> extends Command {}
