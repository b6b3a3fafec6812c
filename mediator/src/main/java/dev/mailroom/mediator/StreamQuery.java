package dev.mailroom.mediator;

/**
 * A query whose handler answers with a stream, for results that are too many to hold.
 *
 * @param <R> the type of the stream's elements
 */
public interface StreamQuery<R> {}
