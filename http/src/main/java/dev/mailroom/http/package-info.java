/**
 * Publishes the events of an outbox to HTTP endpoints, as webhooks signed by the Standard Webhooks
 * specification: {@link dev.mailroom.http.HttpDispatcher}.
 */
@NullMarked
package dev.mailroom.http;

import org.jspecify.annotations.NullMarked;
