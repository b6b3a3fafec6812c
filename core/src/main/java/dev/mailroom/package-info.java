/**
 * Mailroom: durable messages in the database an application already has.
 *
 * <p>This package is what an application uses. Start at {@link dev.mailroom.Mailroom}. To write a
 * store, a codec or a telemetry bridge, see {@link dev.mailroom.spi}.
 */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
