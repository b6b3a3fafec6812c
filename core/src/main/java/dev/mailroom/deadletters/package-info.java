/** Dead letters: to list, to redrive, to discard. */
@NullMarked
package dev.mailroom.deadletters;

import org.jspecify.annotations.NullMarked;
