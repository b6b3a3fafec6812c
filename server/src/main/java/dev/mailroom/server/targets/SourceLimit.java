package dev.mailroom.server.targets;

import dev.mailroom.Result;
import dev.mailroom.messages.Message;
import dev.mailroom.server.config.ServerOptions.SourceOptions;
import dev.mailroom.time.TimeSource;
import org.jspecify.annotations.Nullable;

/** Limits how many events of one source are delivered at once, if configured. Thread-safe. */
public final class SourceLimit {
  private final String source;
  private final @Nullable CallLimit limit;

  private SourceLimit(String source, @Nullable CallLimit limit) {
    this.source = source;
    this.limit = limit;
  }

  /** The limit that a source has, or none. */
  public static SourceLimit of(SourceOptions source, TimeSource time) {
    Integer most = source.concurrency();
    return new SourceLimit(source.name(), most == null ? null : new CallLimit(most, time));
  }

  /**
   * Delivers an event, or puts it off if too many are under way.
   *
   * @throws Exception if the target fails; the event is tried again
   */
  public Result deliver(DeliveryTarget target, Message message, int attempt) throws Exception {
    if (limit == null) {
      return target.deliver(message, attempt).result();
    }
    CallLimit.Entry entry = limit.begin();
    if (entry instanceof CallLimit.TurnedAway away) {
      return Result.retryLater(
          away.delay(),
          "Source '%s' has %d events under way, and no more are delivered at once."
              .formatted(source, limit.limit()));
    }
    try {
      return target.deliver(message, attempt).result();
    } finally {
      limit.end((CallLimit.ApiRequest) entry);
    }
  }
}
