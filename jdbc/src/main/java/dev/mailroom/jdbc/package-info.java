/**
 * The JDBC store: {@link dev.mailroom.jdbc.JdbcStore} and its builder, {@link
 * dev.mailroom.jdbc.JdbcTransaction} to join a transaction of the application, {@link
 * dev.mailroom.jdbc.MigrationScript} for who applies migrations by other means; the rest is its
 * own.
 *
 * <h2>The tables</h2>
 *
 * <pre>
 *   message        ready or leased, and grouped heads that wait: all that a claim looks at
 *   delayed        waiting for its time, and ungrouped messages that have crashed a worker
 *   lease          one row for each claim: who holds which messages until when
 *   turn           groups that may have something to claim; a group can stand there repeatedly
 *   turn_later     groups whose head waits, by its time
 *   hold           groups that a lease holds, and how many of their messages
 *   dead, history, deduplication, state, channel
 * </pre>
 *
 * A channel may have a set of these tables to itself, except for {@code state} and {@code channel}:
 * a {@link dev.mailroom.jdbc.Line} leads to the set in which its channel lives.
 *
 * <p>A row that comes back (due, retried, released, redriven) gets a fresh {@code position}, its
 * place in the scan; its {@code sequence}, its place in the order, stays. Both are numbers from one
 * source, taken inside of the append: what had committed before another append was called has the
 * smaller ones. A message names its lease in a column that no index has, so that leasing writes no
 * index.
 *
 * <h2>Ungrouped messages</h2>
 *
 * A claim takes the first rows of the line that nobody has locked, in the order of their positions.
 * On PostgreSQL one statement does all of it and begins at the store's own {@link
 * dev.mailroom.jdbc.Watermark}; a transaction that took a position early and committed late is
 * found when the claim looks back, which it does before it says "nothing", and once a second
 * otherwise, unless that has become slow. What has crashed a worker is never in the line: it stays
 * among the delayed ones and is leased from there, alone.
 *
 * <h2>Groups, and why none is forgotten</h2>
 *
 * A group is claimed in three statements, each of which sees what was committed when it began:
 *
 * <ol>
 *   <li>take turns, and delete them;
 *   <li>insert a hold for each of their groups, unless there is one;
 *   <li>read the heads of the groups now held, and decide.
 * </ol>
 *
 * A group is freed by deleting its hold and only then, in a new statement, looking at its head:
 * visible means a turn, waiting a turn later, none means nothing. Appending inserts a turn together
 * with the message, and never looks whether there is one already, so it waits for nobody. On
 * PostgreSQL it leaves the turn out if a message that goes first stands for both, and keeps that
 * one from being removed until the append is committed.
 *
 * <p>A turn can be dropped without its messages being seen only if the claim found the group held.
 * Then the hold was still there, so its holder looks at the head later; and since the turn was
 * visible, its message is committed, so the holder sees it. If the holder's deletion was under way,
 * the claim's insert has waited for it, and holds the group itself; on H2, where nobody waits for a
 * deletion, the claim asks for that, and the turn stays. A claim that gives a group up knows why:
 * its head waits (a turn later exists), is a suspect (a turn among the suspects exists), or there
 * was no room (the turn was put back).
 *
 * <p>On PostgreSQL nobody waits at the hold of a group. Claims of a channel's groups go one at a
 * time; each sees which groups are held, reads the heads of the others, and inserts holds of those
 * that gave messages, many groups to a row. A hold that is being given up is told by its row, and
 * the turns of all groups in it stay.
 *
 * <p>A dead letter that parks its group keeps its sequence, and the group's messages behind that
 * sequence are not seen until it is redriven or discarded, which gives the group a turn.
 *
 * <h2>Locks</h2>
 *
 * Whoever changes what is leased locks the lease's row first, then messages in the order of their
 * ids, then groups in the order of their keys. Claims and clean-up pass over what others have
 * locked. What the database undoes because of a conflict is repeated by the store.
 */
@NullMarked
package dev.mailroom.jdbc;

import org.jspecify.annotations.NullMarked;
