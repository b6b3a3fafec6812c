/** Finds and calls the handlers of an inbox, and maps their results to outcomes. */
@NullMarked
package dev.mailroom.internal.inbox;

import org.jspecify.annotations.NullMarked;
