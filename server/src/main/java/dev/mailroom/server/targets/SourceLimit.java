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
   * Delivers an event, or defers it at the limit.
   *
   * @throws Exception if the target fails; the event is retried
   */
  public Result deliver(DeliveryTarget target, Message message, int attempt) throws Exception {
    if (limit == null) {
      return target.deliver(message, attempt).result();
    }
    CallLimit.Admission admission = limit.begin();
    if (admission instanceof CallLimit.Rejected rejected) {
      return Result.retryLater(
          rejected.delay(),
          "Source '%s' has %d events under way, and no more are delivered at once."
              .formatted(source, limit.limit()));
    }
    try {
      return target.deliver(message, attempt).result();
    } finally {
      limit.end((CallLimit.Call) admission);
    }
  }
}
