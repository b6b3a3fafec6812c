/** Webhooks in the HTTP server of the JDK. */
@NullMarked
package dev.mailroom.webhooks.httpserver;

import org.jspecify.annotations.NullMarked;
