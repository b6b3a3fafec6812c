/** The JDBC store. */
@NullMarked
package dev.mailroom.jdbc;

import org.jspecify.annotations.NullMarked;
