package dev.mailroom;

/**
 * A payload that says something of its own message: the parent of {@link HasGroupKey}, {@link
 * HasDeduplicationKey}, {@link HasCollapseKey}, {@link HasMessageId} and {@link HasReceivedAt}, so
 * that payloads which say nothing are recognised by one look.
 */
public interface SelfDescribing {}
