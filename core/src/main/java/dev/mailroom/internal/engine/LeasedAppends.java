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
 * Leases messages in the same call that appends them, while workers of this process are idle: the
 * messages are handled without a claim.
 */
public final class LeasedAppends {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedAppends.class);

  private final ChannelSpec spec;
  private final EngineContext context;
  private final PrefetchWindow window;
  private final Fetcher fetcher;
  private final LeaseDispatcher dispatcher;
  private final Object lock = new Object();
  private boolean open;

  LeasedAppends(
      ChannelSpec spec,
      EngineContext context,
      PrefetchWindow window,
      Fetcher fetcher,
      LeaseDispatcher dispatcher) {
    this.spec = spec;
    this.context = context;
    this.window = window;
    this.fetcher = fetcher;
    this.dispatcher = dispatcher;
  }

  /** Whether workers are running that can handle the messages. */
  void open(boolean value) {
    synchronized (lock) {
      open = value;
    }
  }

  /**
   * Appends messages and leases those that the workers can start at once.
   *
   * @return null if nothing was stored: the workers are busy, or the store is no LeasingWriter
   */
  public @Nullable List<AppendResult> append(List<NewMessage> messages) {
    if (!(spec.store() instanceof LeasingWriter writer) || !mayLease(messages.size())) {
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
      window.endReservation(messages.size());
      if (window.needsRefill()) {
        fetcher.signal().raise(); // it may have claimed less because of the reservation
      }
    }
  }

  /** Not for channels that are read for one tenant or with a delay between reads. */
  private boolean mayLease(int messages) {
    InboxOptions.Reading reading = spec.options().reading();
    return reading.tenant() == null
        && reading.delayBetweenReads().isZero()
        && !fetcher.isPaused()
        && window.reserve(messages);
  }

  private void take(Lease lease, long before) {
    synchronized (lock) {
      if (open) {
        dispatcher.dispatch(lease, before);
        return;
      }
    }
    release(lease.token()); // the workers stopped during the append
  }

  private void release(UUID token) {
    try {
      spec.store().release(spec.channel(), Set.of(token));
    } catch (RuntimeException error) {
      LOG.warn(
          "A lease of '{}' could not be released; other workers take the messages when it expires",
          spec.channel().name(),
          error);
    }
  }
}
