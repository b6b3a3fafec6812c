package dev.mailroom.test;

import dev.mailroom.Mailroom;
import dev.mailroom.internal.MailroomAccess;
import dev.mailroom.internal.engine.ChannelEngine;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.NewMessage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drives the engine of one inbox by hand, step by step, on the caller's thread: the same services
 * that run in production, without their threads. Together with {@link ManualTime} in the store and
 * in the mailroom, a test decides what happens when, and never waits.
 *
 * <p>Each instance is a worker of its own, as if in another process. Not thread-safe.
 */
public final class ManualEngine {
  private final ChannelEngine engine;

  /** A worker for an inbox that has handlers; the mailroom need not be started. */
  public ManualEngine(Mailroom mailroom, String inbox) {
    this.engine = MailroomAccess.newEngine(mailroom, inbox);
  }

  /**
   * Handles everything that is due now and stores the outcomes.
   *
   * @return how many messages were handled
   */
  public long run() {
    return engine.drain();
  }

  /**
   * Stores messages as a write in the process of this worker does that finds it with room: leased
   * for it, if the store is a {@link LeasingWriter}.
   *
   * @return null if nothing was stored: the worker has no room, or the store cannot do this
   */
  public @Nullable List<AppendResult> appendLeased(List<NewMessage> messages) {
    return engine.appendLeased(messages);
  }

  /**
   * One pass of the fetcher: leases what there is room for.
   *
   * @return how long it would rest
   */
  public Duration fetch() {
    return engine.fetch();
  }

  /**
   * Hands one leased work to its handler; its outcome waits to be settled.
   *
   * @return false if nothing was leased
   */
  public boolean handle() {
    return engine.step();
  }

  /** Stores the outcomes that wait. */
  public void settle() {
    engine.settle();
  }

  /**
   * One pass of the lease extender: extends what is due.
   *
   * @return how long it would rest
   */
  public Duration extendLeases() {
    return engine.extendLeases();
  }

  /**
   * One pass of the sweeper: takes expired leases back and cleans up, each if it is time.
   *
   * @return how long it would rest
   */
  public Duration sweep() {
    return engine.sweep();
  }

  /**
   * Takes expired leases back, now.
   *
   * @return how many
   */
  public int reclaim() {
    return engine.reclaim();
  }

  /** How many messages are leased and wait for their handler. */
  public int buffered() {
    return engine.buffered();
  }

  /** Whether some leased message is not settled yet. */
  public boolean holdsLeases() {
    return engine.holdsLeases();
  }

  /** Stops leasing and gives back what was not handled yet, as a shutdown does. */
  public void stop() {
    engine.releaseAndSettle();
  }
}
