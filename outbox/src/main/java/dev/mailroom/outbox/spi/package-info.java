/**
 * What those implement who publish events somewhere: a {@link dev.mailroom.outbox.spi.Dispatcher},
 * or a {@link dev.mailroom.outbox.spi.BatchDispatcher} where many at once are cheaper.
 */
@NullMarked
package dev.mailroom.outbox.spi;

import org.jspecify.annotations.NullMarked;
