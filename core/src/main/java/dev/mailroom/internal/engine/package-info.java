/**
 * The engine: small services on one skeleton.
 *
 * <p>Each channel that has handlers gets one {@link dev.mailroom.internal.engine.ChannelEngine},
 * whose services have one duty each:
 *
 * <pre>
 *             ┌──────────┐  items   ┌─────────┐ outcomes ┌──────────┐
 *   store ───▶│ Fetcher  │─────────▶│ Workers │─────────▶│ Settler  │───▶ store
 *   lease     └──────────┘ buffer   │ +Runner │          └──────────┘     settle
 *                  ▲                └─────────┘
 *   wake-ups ──────┘    LeaseExtender: extend     Sweeper: reclaim, purge
 * </pre>
 *
 * <h2>The lease</h2>
 *
 * A claim returns messages under one token. A {@link dev.mailroom.internal.engine.HeldLease}
 * represents that token in this process: it counts the messages that are not settled yet and knows
 * the expiry of the lease by the monotonic clock (measured from before the call, so never too
 * late). The lease extender extends it well before that. If the store reports the lease as lost,
 * running handlers see it in their delivery, and messages that were not started are dropped because
 * another worker has them. If the lease has expired without an answer from the store, no further
 * message is started under it, but running handlers may finish: the store accepts their outcome
 * until a sweeper reclaims the lease. No decision here depends on a wall clock.
 *
 * <h2>A pass</h2>
 *
 * A {@link dev.mailroom.internal.engine.Service} does its duty in passes; a {@link
 * dev.mailroom.internal.engine.ServiceLoop} repeats them on a thread of its own, waiting on a
 * signal in between. Since a pass needs no thread, the test module's manual engine runs the same
 * services step by step on a fake clock.
 */
@NullMarked
package dev.mailroom.internal.engine;

import org.jspecify.annotations.NullMarked;
