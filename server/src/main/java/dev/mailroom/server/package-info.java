/**
 * The server: {@link dev.mailroom.server.MailroomServer} puts the store, the webhooks, the targets
 * and the web server together, starts and stops them.
 */
@NullMarked
package dev.mailroom.server;

import org.jspecify.annotations.NullMarked;
