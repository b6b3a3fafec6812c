package dev.mailroom.internal.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Leased work that waits for a worker, and the count of what is in hand. */
final class WorkBuffer {
  private final Queue<Work> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger works = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();

  void addAll(List<Work> more) {
    int count = 0;
    for (Work work : more) {
      count += work.messages().size();
    }
    // Counted before it can be taken, so that the counts never fall below zero.
    works.addAndGet(more.size());
    messages.addAndGet(count);
    queue.addAll(more);
  }

  /** Takes the next work; the caller says {@link #finished} when it is done with it. */
  @Nullable Work poll() {
    Work work = queue.poll();
    if (work != null) {
      running.incrementAndGet();
      works.decrementAndGet();
      messages.addAndGet(-work.messages().size());
    }
    return work;
  }

  void finished() {
    running.decrementAndGet();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** How many works wait. */
  int works() {
    return works.get();
  }

  /** How many messages wait. */
  int messages() {
    return messages.get();
  }

  /** How many works are being done. */
  int running() {
    return running.get();
  }
}
