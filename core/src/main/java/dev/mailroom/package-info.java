/**
 * Mailroom: durable messages in the database an application already has.
 *
 * <p>This package is what an application uses. Start at {@link dev.mailroom.Mailroom}. Those who
 * write a store, a codec or a telemetry bridge look at {@link dev.mailroom.spi}.
 */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
