/** Events of an outbox as CloudEvents 1.0, for dispatchers that put them on a wire. */
@NullMarked
package dev.mailroom.cloudevents;

import org.jspecify.annotations.NullMarked;
