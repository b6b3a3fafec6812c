package dev.mailroom.outbox;

/**
 * Marks an event that others than this application may see: what is published beyond its process is
 * then a decision that stands in the type. See {@link IntegrationOutbox}.
 */
public interface IntegrationEvent {}
