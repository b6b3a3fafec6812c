/** How messages get into a store: retried, coalesced, told about. */
@NullMarked
package dev.mailroom.internal.write;

import org.jspecify.annotations.NullMarked;
