/**
 * For those who test with Mailroom, and for those who write a store: time that stands still until
 * it is told to move, short words for messages and channels, a store that stands in for another,
 * and in {@link dev.mailroom.testkit.contract} the suite that every store passes.
 */
@NullMarked
package dev.mailroom.testkit;

import org.jspecify.annotations.NullMarked;
