package dev.mailroom.internal.query;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages one after another, each when it is needed. Not thread-safe.
 *
 * @param <T> the items' type
 */
final class Pages<T> implements Iterator<T> {
  private final Function<@Nullable String, Page<T>> reader;
  private final Deque<T> buffered = new ArrayDeque<>();
  private @Nullable String cursor;
  private boolean ended;

  /**
   * A page.
   *
   * @param <T> the items' type
   * @param items its content; may be empty although there are more pages
   * @param next the cursor of the next page, or null if it is the last
   */
  record Page<T>(List<T> items, @Nullable String next) {}

  private Pages(Function<@Nullable String, Page<T>> reader) {
    this.reader = reader;
  }

  /** The items of all pages, read lazily. */
  static <T> Stream<T> stream(Function<@Nullable String, Page<T>> reader) {
    int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(new Pages<>(reader), characteristics), false);
  }

  @Override
  public boolean hasNext() {
    while (buffered.isEmpty() && !ended) {
      Page<T> page = reader.apply(cursor);
      buffered.addAll(page.items());
      cursor = page.next();
      ended = cursor == null;
    }
    return !buffered.isEmpty();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return buffered.remove();
  }
}
