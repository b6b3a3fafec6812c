package dev.mailroom.engine;

import dev.mailroom.messages.Trace;
import dev.mailroom.spi.Telemetry;
import java.util.ArrayList;
import java.util.List;

/** Records every call. */
final class RecordingTelemetry implements Telemetry {

  record Count(Counter counter, Tags tags, long amount) {}

  record Value(Measure measure, Tags tags, long value) {}

  private final List<Count> counts = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();
  private final List<RecordedScope> scopes = new ArrayList<>();

  @Override
  public synchronized void count(Counter counter, Tags tags, long amount) {
    counts.add(new Count(counter, tags, amount));
  }

  @Override
  public synchronized void measure(Measure measure, Tags tags, long value) {
    values.add(new Value(measure, tags, value));
  }

  @Override
  public synchronized Scope open(Span span, Tags tags, Trace parent) {
    RecordedScope scope = new RecordedScope(span, tags, parent, scopes.size());
    scopes.add(scope);
    return scope;
  }

  synchronized long sum(Counter counter) {
    return counts.stream().filter(c -> c.counter() == counter).mapToLong(Count::amount).sum();
  }

  synchronized List<Count> counts(Counter counter) {
    return counts.stream().filter(count -> count.counter() == counter).toList();
  }

  synchronized List<Long> values(Measure measure) {
    return values.stream().filter(v -> v.measure() == measure).map(Value::value).toList();
  }

  synchronized List<RecordedScope> scopes(Span span) {
    return scopes.stream().filter(scope -> scope.span == span).toList();
  }

  /** A scope whose trace context tells it from all others. */
  static final class RecordedScope implements Scope {
    final Span span;
    final Tags tags;
    final Trace parent;
    final int number;
    volatile Throwable error;
    volatile boolean closed;

    private RecordedScope(Span span, Tags tags, Trace parent, int number) {
      this.span = span;
      this.tags = tags;
      this.parent = parent;
      this.number = number;
    }

    @Override
    public void failed(Throwable cause) {
      error = cause;
    }

    @Override
    public String traceParent() {
      return "parent-" + number;
    }

    @Override
    public String traceState() {
      return "state-" + number;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
