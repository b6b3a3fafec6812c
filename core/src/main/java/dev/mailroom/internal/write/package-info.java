/** Writes messages to a store: encoding, group commit, retries, wake-ups. */
@NullMarked
package dev.mailroom.internal.write;

import org.jspecify.annotations.NullMarked;
