/**
 * For authors of a store: in {@link dev.mailroom.storetestkit.contract} the suite that every store
 * passes, in {@link dev.mailroom.storetestkit.simulation} a simulator that injects faults; here
 * what both use: messages and channels for tests, and a store that forwards to another.
 */
@NullMarked
package dev.mailroom.storetestkit;

import org.jspecify.annotations.NullMarked;
