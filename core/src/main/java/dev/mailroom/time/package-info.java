/** The clocks, injected everywhere. */
@NullMarked
package dev.mailroom.time;

import org.jspecify.annotations.NullMarked;
