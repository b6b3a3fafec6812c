/** Dead letters and inspection of one channel, over its store. */
@NullMarked
package dev.mailroom.internal.query;

import org.jspecify.annotations.NullMarked;
