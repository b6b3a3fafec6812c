/** The caller's transaction that writes join. */
@NullMarked
package dev.mailroom.transactions;

import org.jspecify.annotations.NullMarked;
