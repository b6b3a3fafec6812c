/**
 * The in-memory store. Applications use {@link dev.mailroom.memory.MemoryStore}; the other types
 * are its implementation.
 *
 * <h2>The data structure</h2>
 *
 * Every operation costs O(1) or O(log n) per message it touches. The cost of a claim does not
 * depend on the backlog, other groups, other tenants, waiting retries or history.
 *
 * <pre>
 *   channel ─┬─ byId ────────────▶ entry      staged, ready, scheduled, leased or dead
 *            ├─ round robin ─▶ tenant queue ─▶ tenant queue      only those with ready messages
 *            │                └─ queue ─▶ entry ─▶ group ─▶ entry
 *            │                                      └─▶ entry ─▶ entry     in sequence order
 *            ├─ schedule (heap) ─▶ entry      by due time, then sequence
 *            ├─ leases ──────────▶ lease row  by token and (heap) by expiry
 *            └─ dead letters, history, deduplication records
 * </pre>
 *
 * <p><b>Queues.</b> Each tenant has two queues: ready messages, and poison messages, which have
 * crashed a worker and are leased alone. An ungrouped message is an element of a queue; a grouped
 * one is an element of its group, and the group is an element of the queue while its head can be
 * leased. A claim takes from the head of a queue and goes on with the next tenant (round robin), so
 * a tenant's backlog does not delay other tenants. A message or group that becomes ready again is
 * added to the tail of its queue: one hot group cannot starve the rest. Queues are intrusive lists,
 * so a cancelled or collapsed message is unlinked at once and leaves no tombstone.
 *
 * <p><b>Groups.</b> A message keeps its position in its group from joining to its end: while it is
 * leased, while it waits for a retry, and, where the channel parks groups, as a dead letter. One
 * rule decides whether a group is queued, applied whenever its head or its leases change: it is
 * queued if none of its messages is leased and its head is ready. A failed head blocks its group
 * because it is still the head; a parked group is one whose head is a dead letter; redriving that
 * head resumes the group in order because it kept its position. A group without messages is
 * removed.
 *
 * <p><b>Time.</b> Messages with a future due time are in one heap per channel. Each operation that
 * depends on it moves due messages, the earliest first and a bounded number at once. A message that
 * was not ready before joins the tail of its group at that moment and gets its sequence then; a
 * retried one keeps its position and its sequence.
 *
 * <p><b>Leases.</b> A lease is a row of its own. Extending it, or finding that it has expired,
 * touches that row only. A message refers to its row, and (id, token) is checked against it.
 *
 * <p><b>Writing.</b> An append is staged (ids, keys and capacity are reserved, or nothing is) and
 * then published. In a transaction the commit publishes; until then other writers of the same id or
 * key wait for its end, without holding a lock. The sequence is assigned when publishing, so the
 * order is that of commits.
 *
 * <p><b>Locks.</b> One per channel. An operation on several channels locks them in the order of
 * their names and the lock of the states last. Listeners are called without a lock.
 */
@NullMarked
package dev.mailroom.memory;

import org.jspecify.annotations.NullMarked;
