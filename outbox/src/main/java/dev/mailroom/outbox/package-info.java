/**
 * Events recorded in the transaction that changes the state, and published after its commit. Start
 * at {@link dev.mailroom.outbox.Outbox}.
 */
@NullMarked
package dev.mailroom.outbox;

import org.jspecify.annotations.NullMarked;
