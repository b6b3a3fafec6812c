/**
 * Commands, queries and events handled in this process, through one pipeline. Start at {@link
 * dev.mailroom.mediator.Mediator}.
 *
 * <p>A message goes through validators, pre-handlers, its handler and post-handlers; what goes
 * wrong in any of them goes to the error handlers. Nothing is stored: the durable patterns call the
 * mediator when the time of a stored message has come.
 */
@NullMarked
package dev.mailroom.mediator;

import org.jspecify.annotations.NullMarked;
