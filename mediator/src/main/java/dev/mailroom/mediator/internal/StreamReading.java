package dev.mailroom.mediator.internal;

import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A handler's stream in its caller's hands. What the handler's part throws while it is read goes to
 * the error handlers, what the caller's part throws does not. The end of the stream, however it
 * comes, closes the handler's stream and the call's scope.
 */
final class StreamReading extends Spliterators.AbstractSpliterator<Object>
    implements Consumer<Object> {
  private static final int KEPT = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL;

  private final Stream<?> source;
  private final Spliterator<?> elements;
  private final Object query;
  private final Execution execution;
  private @Nullable Object element;
  private boolean ended;

  private StreamReading(
      Stream<?> source, Spliterator<?> elements, Object query, Execution execution) {
    super(elements.estimateSize(), elements.characteristics() & KEPT);
    this.source = source;
    this.elements = elements;
    this.query = query;
    this.execution = execution;
  }

  static Stream<?> of(Stream<?> source, Object query, Execution execution) {
    StreamReading reading = new StreamReading(source, source.spliterator(), query, execution);
    return StreamSupport.stream(reading, false).onClose(reading::end);
  }

  @Override
  public boolean tryAdvance(Consumer<? super Object> action) {
    if (ended || !next()) {
      end();
      return false;
    }
    Object taken = element;
    element = null;
    action.accept(taken);
    return true;
  }

  private boolean next() {
    try {
      execution.proceed();
      return elements.tryAdvance(this);
    } catch (Exception error) {
      try {
        PipelineRun.recover(query, error, execution);
        return false;
      } catch (Throwable unhandled) {
        endAfter(unhandled);
        throw unhandled;
      }
    }
  }

  /** Takes the element that the source hands over. */
  @Override
  public void accept(Object value) {
    element = value;
  }

  private void endAfter(Throwable error) {
    try {
      end();
    } catch (RuntimeException another) {
      error.addSuppressed(another);
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      try (source) {
        execution.close();
      }
    }
  }
}
