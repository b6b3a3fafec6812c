package dev.mailroom.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class WorkersTest implements Workers.Listener {
  private final WorkBuffer buffer = new WorkBuffer();
  private final AtomicInteger refusals = new AtomicInteger();
  private final BlockingQueue<WorkItem> begun = new LinkedBlockingQueue<>();
  private final Semaphore mayEnd = new Semaphore(0);
  private final Workers workers =
      new Workers(2, this::thread, buffer, this::work, TimeSource.system(), this);

  private Thread thread(Runnable task) {
    if (refusals.getAndDecrement() > 0) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  private void work(WorkItem work, InterruptibleInvocation invocation) {
    begun.add(work);
    mayEnd.acquireUninterruptibly();
  }

  @Override
  public void workDone() {}

  @Override
  public void nothingToDo() {}

  @AfterEach
  void end() throws InterruptedException {
    mayEnd.release(100);
    workers.stop();
    assertThat(workers.awaitEnd(Duration.ofSeconds(30))).isTrue();
  }

  private void add(int works) {
    HeldLease lease =
        new HeldLease(UUID.randomUUID(), Instant.EPOCH, works, 0, Duration.ofHours(1));
    for (int i = 0; i < works; i++) {
      buffer.addAll(List.of(new WorkItem(lease, List.of(), false)));
    }
  }

  private void awaitBegun() throws InterruptedException {
    assertThat(begun.poll(30, TimeUnit.SECONDS)).isNotNull();
  }

  @Test
  void work_waits_if_no_thread_can_be_started_and_is_done_when_one_can() throws Exception {
    refusals.set(1);
    add(1);

    workers.wake();
    assertThat(buffer.items()).isEqualTo(1);
    workers.wake();

    awaitBegun();
  }

  @Test
  void a_worker_goes_on_if_no_other_thread_can_be_started() throws Exception {
    add(1);
    workers.wake();
    awaitBegun();
    refusals.set(Integer.MAX_VALUE);
    add(3);

    mayEnd.release(4);

    for (int i = 0; i < 3; i++) {
      awaitBegun();
    }
    assertThat(buffer.isEmpty()).isTrue();
  }
}
