package dev.mailroom.internal.engine;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Leased work items that wait for a worker, with counts of waiting and running items. */
final class WorkBuffer {
  private final Queue<WorkItem> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger items = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();

  void addAll(List<WorkItem> more) {
    int count = 0;
    for (WorkItem work : more) {
      count += work.messages().size();
    }
    // Counted before it can be taken, so that the counts never fall below zero.
    items.addAndGet(more.size());
    messages.addAndGet(count);
    queue.addAll(more);
  }

  /** Takes the next item; the caller calls {@link #finished} afterwards. */
  @Nullable WorkItem poll() {
    WorkItem work = queue.poll();
    if (work != null) {
      running.incrementAndGet();
      items.decrementAndGet();
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

  /** The number of waiting items. */
  int items() {
    return items.get();
  }

  /** The number of waiting messages. */
  int messages() {
    return messages.get();
  }

  /** The number of running items. */
  int running() {
    return running.get();
  }
}
