/**
 * What extensions of Mailroom implement: stores, codecs, resolvers, telemetry, facades.
 *
 * <h2>One idea</h2>
 *
 * A message in a {@linkplain dev.mailroom.spi.Store store}, leased by a worker, settled with an
 * outcome:
 *
 * <pre>
 *              append                     lease                    settle
 *   (caller) ─────────▶ READY ─────────────────────▶ LEASED ───────────────▶ done
 *                         ▲   ◀── retry(after) / release ──┘ └──▶ DEAD ──redrive──▶ READY
 *                      visible in the future = scheduled
 * </pre>
 *
 * <h2>Rules that every store keeps</h2>
 *
 * <ol>
 *   <li>The store's clock decides what is due and what has expired; no worker's clock does.
 *   <li>A lease has a token, random at every claim. A call that changes a leased message names (id,
 *       token); a stale token changes nothing and is reported as lost. An expired lease that is not
 *       reclaimed yet may still settle.
 *   <li>Attempts and crashes are two counts. An attempt is counted when the lease is taken. A lease
 *       that is reclaimed is a crash: the attempt is given back, the crash count grows (in a group
 *       only the head's), the message comes back after a back-off and is then leased alone. At the
 *       crash limit the claim dead-letters it.
 *   <li>Append, deduplication and collapse are one atomic step.
 *   <li>Order is a monotonic sequence, never a timestamp. What was committed before another append
 *       was called goes first.
 *   <li>A group is leased as a whole: one lease holds it, gets its first messages in order, and a
 *       head that waits blocks its group.
 *   <li>The cost of a claim does not grow with the backlog, the number of groups or history.
 *   <li>No message is deleted because no handler or contract matches it.
 *   <li>Writes can join the caller's transaction where the store is {@link
 *       dev.mailroom.spi.Transactional}.
 *   <li>Nothing is unbounded; see {@link dev.mailroom.messages.Limits}.
 * </ol>
 *
 * The store test kit's {@code StoreContract} holds a store to each of them.
 */
@NullMarked
package dev.mailroom.spi;

import org.jspecify.annotations.NullMarked;
