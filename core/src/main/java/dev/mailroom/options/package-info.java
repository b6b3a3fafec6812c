/** The values that options are made of, and their defaults. */
@NullMarked
package dev.mailroom.options;

import org.jspecify.annotations.NullMarked;
