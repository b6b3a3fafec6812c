/** How an inbox finds, calls and judges its handlers. */
@NullMarked
package dev.mailroom.internal.inbox;

import org.jspecify.annotations.NullMarked;
