package dev.mailroom.internal.engine;

import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that run handlers, started when there is work for them.
 *
 * <p>At most one worker is being woken at a time: a woken worker that finds more than one item
 * wakes the next. Fast handlers thus use few threads, without a thundering herd, and slow ones use
 * all of them.
 */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  private final int size;
  private final ThreadFactory threads;
  private final WorkBuffer buffer;
  private final Job job;
  private final TimeSource time;
  private final Runnable workDone;
  private final Runnable nothingToDo;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Deque<Worker> idle = new ArrayDeque<>();
  private final List<Worker> all = new ArrayList<>();
  private final AtomicBoolean waking = new AtomicBoolean();
  private int alive;
  private volatile boolean refused;
  private volatile boolean stopping;

  Workers(
      int size,
      ThreadFactory threads,
      WorkBuffer buffer,
      Job job,
      TimeSource time,
      Listener listener) {
    this.size = size;
    this.threads = threads;
    this.buffer = buffer;
    this.job = job;
    this.time = time;
    this.workDone = listener::workDone;
    this.nothingToDo = listener::nothingToDo;
  }

  /** Runs a work item. */
  interface Job {
    void run(WorkItem work, InterruptibleInvocation invocation);
  }

  /** Observes the workers. */
  interface Listener {
    /** A work item is finished. */
    void workDone();

    /** A worker found the buffer empty. */
    void nothingToDo();
  }

  /**
   * Wakes or starts a worker, unless one is being woken already. If a thread cannot be started,
   * this logs the error and the next call retries.
   */
  void wake() {
    if (!waking.get() && waking.compareAndSet(false, true)) {
      boolean woken = false;
      try {
        woken = wakeOne();
      } catch (RuntimeException | OutOfMemoryError noThread) {
        if (!refused) {
          refused = true; // logged once: every item retries
          LOG.error(
              "A handler thread cannot be started; continuing with the running ones", noThread);
        }
      } finally {
        if (!woken) {
          waking.set(false);
        }
      }
    }
  }

  private boolean wakeOne() {
    lock.lock();
    try {
      Worker worker = idle.pollLast();
      if (worker != null) {
        worker.wake();
        return true;
      }
      if (all.size() < size && !stopping) {
        Worker another = new Worker();
        Thread thread = threads.newThread(another);
        another.thread = thread;
        thread.start();
        all.add(another);
        alive++;
        refused = false;
        return true;
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Stops all workers when the buffer is empty. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
      idle.forEach(Worker::wake);
      idle.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all threads have ended; false after the timeout. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    long nanos = timeout.toNanos();
    List<Worker> workers;
    lock.lock();
    try {
      while (alive > 0 && nanos > 0) {
        nanos = ended.awaitNanos(nanos);
      }
      if (alive > 0) {
        return false;
      }
      workers = List.copyOf(all);
    } finally {
      lock.unlock();
    }
    for (Worker worker : workers) {
      Thread thread = worker.thread;
      if (thread != null) {
        thread.join(); // its last step is done
      }
    }
    return true;
  }

  /** Interrupts handlers that take too long. */
  void interruptLate() {
    invocations().forEach(InterruptibleInvocation::interruptIfLate);
  }

  /** Interrupts all running handlers, because the grace time is over. */
  void interruptAll() {
    invocations().forEach(invocation -> invocation.interrupt(HandlerInvocation.EndReason.STOPPED));
  }

  private List<InterruptibleInvocation> invocations() {
    lock.lock();
    try {
      List<InterruptibleInvocation> invocations = new ArrayList<>(all.size());
      all.forEach(worker -> invocations.add(worker.invocation));
      return invocations;
    } finally {
      lock.unlock();
    }
  }

  private final class Worker implements Runnable {
    private final InterruptibleInvocation invocation = new InterruptibleInvocation(time);
    private volatile boolean woken = true;
    private volatile @Nullable Thread thread;

    private void wake() {
      woken = true;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      waking.set(false);
      try {
        boolean alive = true;
        while (alive) {
          WorkItem work = buffer.poll();
          if (work != null) {
            process(work);
          } else {
            alive = rest();
          }
        }
      } finally {
        gone();
      }
    }

    private void process(WorkItem work) {
      try {
        if (!buffer.isEmpty()) {
          Workers.this.wake();
        }
        job.run(work, invocation);
      } catch (Throwable error) {
        LOG.error(
            "A worker failed outside of any handler; its messages are redelivered later", error);
      } finally {
        buffer.finished();
        workDone.run();
      }
    }

    /** Waits for an item; false if the workers are stopping. */
    private boolean rest() {
      lock.lock();
      try {
        if (stopping) {
          return !buffer.isEmpty();
        }
        woken = false;
        idle.addLast(this);
      } finally {
        lock.unlock();
      }
      nothingToDo.run();
      if (!buffer.isEmpty()) {
        Workers.this.wake(); // added between the poll and the registration as idle
      }
      while (!woken) {
        LockSupport.park(this);
        Thread.interrupted();
      }
      waking.set(false);
      return true;
    }

    private void gone() {
      lock.lock();
      try {
        alive--;
        if (!stopping) {
          all.remove(this); // an error has ended it: another one may be started
        }
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
