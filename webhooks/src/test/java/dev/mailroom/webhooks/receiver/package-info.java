/** Requests from their arrival to the last handler of their events. */
@NullMarked
package dev.mailroom.webhooks.receiver;

import org.jspecify.annotations.NullMarked;
