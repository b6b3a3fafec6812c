package dev.mailroom.internal.engine;

import dev.mailroom.InboxOptions;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeasingWriter;
import dev.mailroom.spi.LeasingWriter.LeasedAppend;
import dev.mailroom.spi.NewMessage;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages that are written in this process while its workers have nothing else to do: the store
 * leases them as it stores them, and they are worked on without a claim.
 */
public final class Arrivals {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final Appetite appetite;
  private final Fetcher fetcher;
  private final Intake intake;
  private final Object lock = new Object();
  private boolean open;

  Arrivals(
      ChannelSpec spec, EngineContext context, Appetite appetite, Fetcher fetcher, Intake intake) {
    this.spec = spec;
    this.context = context;
    this.appetite = appetite;
    this.fetcher = fetcher;
    this.intake = intake;
  }

  /** From now on, or from now on no longer, there are workers for what arrives. */
  void open(boolean value) {
    synchronized (lock) {
      open = value;
    }
  }

  /**
   * Stores messages and has those worked on that can be at once.
   *
   * @return null if nothing was stored, since the workers are busy, or the store cannot do this
   */
  public @Nullable List<AppendResult> append(List<NewMessage> messages) {
    if (!(spec.store() instanceof LeasingWriter writer) || !isInvited(messages.size())) {
      return null;
    }
    try {
      long before = context.time().nanos();
      LeasedAppend arrival =
          writer.appendLeased(spec.channel(), messages, fetcher.request(messages.size()));
      Lease lease = arrival.lease();
      if (lease != null) {
        take(lease, before);
      }
      if (arrival.hasUnleasedMessages()) {
        fetcher.signal().raise();
      }
      return arrival.results();
    } finally {
      appetite.arrived(messages.size());
      if (appetite.isHungryAgain()) {
        fetcher.signal().raise(); // it may have left something to those who did not come
      }
    }
  }

  /** Somebody who wants one tenant only, or claims with pauses between them, gets just that. */
  private boolean isInvited(int messages) {
    InboxOptions.Reading reading = spec.options().reading();
    return reading.tenant() == null
        && reading.delayBetweenReads().isZero()
        && !fetcher.isPaused()
        && appetite.invite(messages);
  }

  private void take(Lease lease, long before) {
    synchronized (lock) {
      if (open) {
        intake.add(lease, before);
        return;
      }
    }
    giveBack(lease.token()); // the workers were stopped while it was stored
  }

  private void giveBack(UUID token) {
    try {
      spec.store().release(spec.channel(), Set.of(token));
    } catch (RuntimeException error) {
      LOG.warn(
          "What '{}' was given last could not be given back; others take it when the lease expires",
          spec.channel().name(),
          error);
    }
  }
}
