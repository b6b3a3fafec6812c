package dev.mailroom;

/**
 * A payload with write options of its own, for a batch.
 *
 * @param payload what to write
 * @param options what is particular to it, without a transaction: the batch has one
 */
public record Outgoing(Object payload, WriteOptions options) {}
