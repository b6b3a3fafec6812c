/**
 * The in-memory store. Applications use {@link dev.mailroom.memory.MemoryStore}; the rest is its
 * own.
 *
 * <h2>The data structure</h2>
 *
 * Every verb costs O(1) or O(log n) per message it touches, and a claim costs nothing for what it
 * does not touch: not for the backlog, other groups, other tenants, waiting retries or history.
 *
 * <pre>
 *   channel ─┬─ byId ────────────▶ entry      staged, ready, scheduled, leased or dead
 *            ├─ rotation ─▶ lane ─▶ lane      one per tenant; only those with something ready
 *            │                └─ line ─▶ entry ─▶ group ─▶ entry
 *            │                                     └─▶ entry ─▶ entry     in sequence order
 *            ├─ schedule (heap) ─▶ entry      by due time, then sequence
 *            ├─ leases ──────────▶ lease row  by token and (heap) by expiry
 *            └─ graveyard, history, deduplication records
 * </pre>
 *
 * <p><b>Lines.</b> A lane has two lines: what is ready, and the suspects, which have crashed a
 * worker and are leased alone. An ungrouped message stands in a line itself; a grouped one stands
 * in its group, and the group stands in the line while its head can be leased. A claim takes from
 * the front of a line, then it is the next lane's turn, so a tenant's backlog delays nobody else's
 * messages. Whatever comes back goes to the end of its line: one hot group cannot starve the rest.
 * Lines are linked through their elements, so a message that is cancelled or collapsed leaves at
 * once and nothing has to be skipped later.
 *
 * <p><b>Groups.</b> A group's messages keep their place from joining to their end: while they are
 * leased, while they wait for a retry, and, where the channel parks groups, as dead letters. So
 * there is one rule for where a group stands, applied whenever its head or its leases change: in a
 * line if nothing of it is leased and its head is ready, and nowhere otherwise. A failed head
 * blocks its group because it is still the head; a parked group is one whose head is dead;
 * redriving that head resumes the group in order because it never left its place. A group without
 * messages is dropped.
 *
 * <p><b>Time.</b> Messages with a future due time lie in one heap per channel. Each verb that needs
 * to know moves what is due, the earliest first and only so many at once. A message on its first
 * turn joins the tail of its group at that moment and takes its sequence then; a retried one has
 * its place and its sequence already.
 *
 * <p><b>Leases.</b> A lease is a row of its own. Extending it, or finding that it has expired,
 * touches that row only. A message names its row, and (id, token) is checked against it.
 *
 * <p><b>Writing.</b> An append is staged (ids, keys and room are taken, or nothing is) and then
 * published. In a transaction the commit publishes, and until then others who use the same id or
 * key wait for its end, without any lock held. The sequence is taken when publishing, so the order
 * is that of commits.
 *
 * <p><b>Locks.</b> One per channel. Who needs several takes them in the order of the channels'
 * names and the lock of the states last. Listeners are called with no lock held.
 */
@NullMarked
package dev.mailroom.memory;

import org.jspecify.annotations.NullMarked;
