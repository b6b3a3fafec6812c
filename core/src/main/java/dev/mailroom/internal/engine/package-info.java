/**
 * The engine: small services on one skeleton.
 *
 * <p>Each channel that has handlers gets one {@link dev.mailroom.internal.engine.ChannelEngine},
 * whose services have one duty each:
 *
 * <pre>
 *             ┌──────────┐  works   ┌─────────┐ outcomes ┌──────────┐
 *   store ───▶│ Fetcher  │─────────▶│ Workers │─────────▶│ Settler  │───▶ store
 *   lease     └──────────┘ buffer   │ +Runner │          └──────────┘     settle
 *                  ▲                └─────────┘
 *   wake-ups ──────┘    LeaseKeeper: extend       Sweeper: reclaim, purge
 * </pre>
 *
 * <h2>The lease, which everything turns on</h2>
 *
 * A claim answers with messages under one token. From then on a {@link
 * dev.mailroom.internal.engine.HeldLease} stands for that token in this process: it counts the
 * messages that are not settled yet and knows, by the monotonic clock, until when the store has
 * promised them to us (counted from before the call, so never too late). The keeper extends it well
 * before that. If the store says that the lease is lost, the handlers are told and messages not yet
 * started are dropped, because somebody else has them. If the promise has run out without news, no
 * message is started under it any more, but running handlers may finish: the store takes their
 * outcome as long as nobody has reclaimed the lease. Nothing here decides by a wall clock.
 *
 * <h2>A pass</h2>
 *
 * A {@link dev.mailroom.internal.engine.Service} does its duty in passes; a {@link
 * dev.mailroom.internal.engine.ServiceLoop} repeats them on a thread of its own, waiting on a
 * signal in between. Since a pass needs no thread, the testkit's manual engine runs the same
 * services step by step on a fake clock.
 */
@NullMarked
package dev.mailroom.internal.engine;

import org.jspecify.annotations.NullMarked;
