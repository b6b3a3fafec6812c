/**
 * A seeded simulation: the real engine over a real store, in a world where everything that can go
 * wrong between them does, on one thread and on simulated time. A seed decides everything, so a
 * seed that fails once fails again in the same way.
 *
 * <h2>The world</h2>
 *
 * <pre>
 *   producer ─┐                                                   ┌─ model: what must be true
 *   operator ─┼─▶ FaultyStore ─▶ WitnessedStore ─▶ the store      │
 *   worker 1 ─┤   one per process, │  tells the model about ──────┘
 *   worker n ─┘   breaks calls     └─ what was really done
 * </pre>
 *
 * A worker is a mailroom of its own with a manual engine, a drifting wall clock and a view of the
 * store that breaks down now and then; it dies and another takes its place. A scheduler picks, by
 * the seed, who does what next.
 *
 * <p>There is one thread, yet things overlap: while a handler runs, or while a call is on its way
 * to the store, the scheduler may be entered again, and other workers (or other services of the
 * same worker, which have threads of their own in production) take some steps before the first one
 * goes on. This is how a worker finds, when its handler returns, that its lease is long gone.
 *
 * <h2>The model</h2>
 *
 * The witness stands between the faults and the store. It sees each verb that really takes effect
 * and its real answer, so the model always knows the truth, also when the worker does not: whether
 * a write whose reply was lost is there, who holds which lease, how often a message was tried. The
 * model does not imitate a store. It predicts where the contract leaves one answer, and accepts
 * each where it leaves more; which of these it is shows later.
 *
 * <p>Order needs care. "Goes before" holds between two messages of a group if the write of the
 * first had ended before the write of the second began; writes that overlap go either way. A
 * delayed message takes its place when it is due, a redriven one at the tail, unless its group has
 * waited for it.
 *
 * <h2>Two phases</h2>
 *
 * First chaos: messages are written, handled, redriven and cancelled while the seed's faults are
 * spent. Then quiet: no more faults, and the world must come to rest with nothing left to do. What
 * the {@linkplain dev.mailroom.storetestkit.simulation.Invariant invariants} say is checked at
 * every verb and at every handler call, and once more at the end.
 *
 * <p>{@link dev.mailroom.storetestkit.simulation.SimulationSuite} runs many seeds over a store.
 */
@NullMarked
package dev.mailroom.storetestkit.simulation;

import org.jspecify.annotations.NullMarked;
