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
 * <p>At most one worker is being woken at a time: a woken worker that finds more work than it can
 * take wakes the next. Quick handlers are thus served by few threads without a stampede, and slow
 * ones by all of them.
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
      int size, ThreadFactory threads, WorkBuffer buffer, Job job, TimeSource time, Hungry hungry) {
    this.size = size;
    this.threads = threads;
    this.buffer = buffer;
    this.job = job;
    this.time = time;
    this.workDone = hungry::workDone;
    this.nothingToDo = hungry::nothingToDo;
  }

  /** What a worker does. */
  interface Job {
    void run(Work work, CallGuard guard);
  }

  /** Who is told how the workers are doing. */
  interface Hungry {
    /** One work is done. */
    void workDone();

    /** A worker found nothing to do. */
    void nothingToDo();
  }

  /**
   * There is work: wakes or starts a worker, unless one is on its way already. A thread that cannot
   * be started is no reason to end the one that asks: the next call tries again.
   */
  void wake() {
    if (!waking.get() && waking.compareAndSet(false, true)) {
      boolean onItsWay = false;
      try {
        onItsWay = wakeOne();
      } catch (RuntimeException | OutOfMemoryError noThread) {
        if (!refused) {
          refused = true; // said once: it is tried again for every work
          LOG.error("A thread for handlers cannot be started; those that run go on", noThread);
        }
      } finally {
        if (!onItsWay) {
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

  /** Asks all workers to end when the buffer is empty. */
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

  /** Waits for the end of their threads; false if it did not come in time. */
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
        thread.join(); // it has said that it is going
      }
    }
    return true;
  }

  /** Interrupts handlers that take too long. */
  void interruptLate() {
    guards().forEach(CallGuard::interruptIfLate);
  }

  /** Interrupts all running handlers, because the grace time is over. */
  void interruptAll() {
    guards().forEach(guard -> guard.interrupt(Call.Ending.STOPPED));
  }

  private List<CallGuard> guards() {
    lock.lock();
    try {
      List<CallGuard> guards = new ArrayList<>(all.size());
      all.forEach(worker -> guards.add(worker.guard));
      return guards;
    } finally {
      lock.unlock();
    }
  }

  private final class Worker implements Runnable {
    private final CallGuard guard = new CallGuard(time);
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
          Work work = buffer.poll();
          if (work != null) {
            doIt(work);
          } else {
            alive = rest();
          }
        }
      } finally {
        gone();
      }
    }

    private void doIt(Work work) {
      try {
        if (!buffer.isEmpty()) {
          Workers.this.wake();
        }
        job.run(work, guard);
      } catch (Throwable error) {
        LOG.error("A worker failed outside of any handler; its messages come back later", error);
      } finally {
        buffer.finished();
        workDone.run();
      }
    }

    /** Waits for work; false if there will be none. */
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
        Workers.this.wake(); // added between the look and the lying down
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
          all.remove(this); // an error has ended it, so that another one may take its place
        }
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
