/**
 * A seeded simulation: the real engine over a real store, with injected faults between them, on one
 * thread and on simulated time. The seed decides everything, so a seed that fails once fails again
 * in the same way.
 *
 * <h2>The cluster</h2>
 *
 * <pre>
 *   producer ─┐                                                   ┌─ model: the expected state
 *   operator ─┼─▶ FaultyStore ─▶ ObservedStore ─▶ the store       │
 *   worker 1 ─┤   one per process, │  updates the model after ────┘
 *   worker n ─┘   injects faults   └─ each call that took effect
 * </pre>
 *
 * A worker is a mailroom of its own with a manual engine, a drifting wall clock and a faulty
 * connection to the store. A worker that crashes is replaced. A scheduler picks the next step by
 * the seed.
 *
 * <p>There is one thread, yet steps overlap: while a handler runs, or while a call is on its way to
 * the store, the scheduler may be entered again, and other workers (or other services of the same
 * worker, which have threads of their own in production) take some steps before the first one goes
 * on. This is how a worker finds, when its handler returns, that its lease was reclaimed.
 *
 * <h2>The model</h2>
 *
 * ObservedStore stands between the faults and the store. It sees each call that takes effect and
 * its true result, so the model is right even where a worker is not: whether a write with a lost
 * reply was stored, which worker holds which lease, how often a message was attempted. The model
 * does not imitate a store. Where the contract allows one result, it predicts that; where the
 * contract allows several, it accepts each and learns later which one it was.
 *
 * <p>Order needs care. "Goes before" holds between two messages of a group if the write of the
 * first had returned before the write of the second was called; overlapping writes go either way. A
 * delayed message joins its group when it is due, a redriven one joins at the tail, unless its
 * group is parked behind it.
 *
 * <h2>Two phases</h2>
 *
 * In the fault phase messages are written, handled, redriven and cancelled until all of the seed's
 * faults are injected. In the drain phase there are no more faults, and the workers must empty the
 * channel. The {@linkplain dev.mailroom.storetestkit.simulation.Invariant invariants} are checked
 * at every store call and every handler call, and once more at the end.
 *
 * <p>{@link dev.mailroom.storetestkit.simulation.SimulationSuite} runs many seeds over a store.
 */
@NullMarked
package dev.mailroom.storetestkit.simulation;

import org.jspecify.annotations.NullMarked;
