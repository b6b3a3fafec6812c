/** Queries over a channel: counts, search, deduplication keys, states. */
@NullMarked
package dev.mailroom.inspection;

import org.jspecify.annotations.NullMarked;
