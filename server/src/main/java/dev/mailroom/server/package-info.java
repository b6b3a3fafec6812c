/**
 * The server: {@link dev.mailroom.server.MailroomServer} assembles, starts and stops the store, the
 * webhooks, the targets and the web server.
 */
@NullMarked
package dev.mailroom.server;

import org.jspecify.annotations.NullMarked;
