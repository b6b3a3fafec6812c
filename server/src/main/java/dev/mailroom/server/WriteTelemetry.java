package dev.mailroom.server;

import dev.mailroom.messages.Trace;
import dev.mailroom.server.web.StoreWrites;
import dev.mailroom.spi.Telemetry;

/** Reports the outcome of writes to {@link StoreWrites}, and forwards all telemetry. */
record WriteTelemetry(Telemetry other, StoreWrites writes) implements Telemetry {
  private static final String NOT_STORED = "store-unavailable";

  @Override
  public void count(Counter counter, Tags tags, long amount) {
    if (counter == Counter.RECEIVED) {
      writes.succeeded();
    } else if (counter == Counter.REQUEST_REFUSED && NOT_STORED.equals(tags.reason())) {
      writes.failed(null); // the webhooks have logged why
    }
    other.count(counter, tags, amount);
  }

  @Override
  public void measure(Measure measure, Tags tags, long value) {
    other.measure(measure, tags, value);
  }

  @Override
  public Scope open(Span span, Tags tags, Trace parent) {
    return other.open(span, tags, parent);
  }
}
