/** The store and the engine among real processes and servers, which die. */
@NullMarked
package dev.mailroom.jdbc.process;

import org.jspecify.annotations.NullMarked;
