/** Processes that are killed between the change of state and the publishing of its event. */
@NullMarked
package dev.mailroom.outbox.process;

import org.jspecify.annotations.NullMarked;
