package dev.mailroom.mediator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.mediator.Orders.Placed;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ParallelEventsTest {
  private static final CallOptions PARALLEL =
      CallOptions.of(options -> options.events(EventMode.PARALLEL));

  private final List<String> log = new CopyOnWriteArrayList<>();

  @Test
  void handlersOfEqualPriorityRunAtTheSameTime() {
    CyclicBarrier allThree = new CyclicBarrier(3);
    EventHandler<Placed> waiting = (event, context) -> allThree.await();
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, waiting)
            .event(Placed.class, waiting)
            .event(Placed.class, waiting)
            .postHandler(Placed.class, (event, result, context) -> log.add("after"))
            .build();

    mediator.publish(new Placed(), PARALLEL);

    assertThat(log).containsExactly("after");
  }

  @Test
  void handlersOfTheNextPriorityWait() {
    CountDownLatch second = new CountDownLatch(1);
    Mediator mediator =
        Mediator.builder()
            .event(
                Placed.class, (event, context) -> log.add("last"), options -> options.priority(2))
            .event(
                Placed.class,
                (event, context) -> {
                  second.await();
                  log.add("one");
                })
            .event(
                Placed.class,
                (event, context) -> {
                  log.add("two");
                  second.countDown();
                })
            .build();

    mediator.publish(new Placed(), PARALLEL);

    assertThat(log).containsExactly("two", "one", "last");
  }

  @Test
  void afterTheFirstErrorNoOtherPriorityStarts() {
    CyclicBarrier both = new CyclicBarrier(2);
    EventHandler<Placed> failing =
        (event, context) -> {
          both.await();
          throw new IllegalStateException("no");
        };
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing)
            .event(Placed.class, failing)
            .event(
                Placed.class, (event, context) -> log.add("later"), options -> options.priority(1))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), PARALLEL))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(error -> assertThat(error.getSuppressed()).hasSize(1));
    assertThat(log).isEmpty();
  }

  @Test
  void allErrorsAreCollectedWhereThatIsAskedFor() {
    EventHandler<Placed> failing =
        (event, context) -> {
          throw new IllegalStateException("no");
        };
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, failing)
            .event(Placed.class, failing)
            .event(
                Placed.class, (event, context) -> log.add("later"), options -> options.priority(1))
            .build();

    assertThatThrownBy(
            () ->
                mediator.publish(
                    new Placed(), options -> options.events(EventMode.PARALLEL.withAllErrors())))
        .isInstanceOfSatisfying(
            EventHandlersFailedException.class, error -> assertThat(error.failures()).hasSize(2));
    assertThat(log).containsExactly("later");
  }

  @Test
  void anErrorOfTheMachineReachesThePublisher() {
    OutOfMemoryError error = new OutOfMemoryError("for the test");
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, (event, context) -> {})
            .event(
                Placed.class,
                (event, context) -> {
                  throw error;
                })
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), PARALLEL)).isSameAs(error);
  }

  @Test
  void anErrorOfTheMachineInAnErrorHandlerReachesThePublisherToo() {
    OutOfMemoryError error = new OutOfMemoryError("for the test");
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, (event, context) -> {})
            .event(
                Placed.class,
                (event, context) -> {
                  throw new IllegalStateException("no");
                })
            .errorHandler(
                Placed.class,
                (event, thrown, context) -> {
                  throw error;
                })
            .event(
                Placed.class, (event, context) -> log.add("later"), options -> options.priority(1))
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), PARALLEL)).isSameAs(error);
    assertThat(log).isEmpty();
  }

  @Test
  void anErrorOfTheMachineInThePublishersThreadLeavesNoHandlerRunning() {
    OutOfMemoryError error = new OutOfMemoryError("for the test");
    Thread publisher = Thread.currentThread();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch thrown = new CountDownLatch(1);
    AtomicBoolean returned = new AtomicBoolean();
    Mediator mediator =
        Mediator.builder()
            .event(
                Placed.class,
                (event, context) -> {
                  running.await();
                  throw new IllegalStateException("no");
                })
            .event(
                Placed.class,
                (event, context) -> {
                  running.countDown();
                  thrown.await();
                  while (publisher.getState() != Thread.State.WAITING && !returned.get()) {
                    Thread.onSpinWait();
                  }
                  log.add(returned.get() ? "left alone" : "awaited");
                })
            .errorHandler(
                Placed.class,
                (event, cause, context) -> {
                  thrown.countDown();
                  throw error;
                })
            .build();

    assertThatThrownBy(() -> mediator.publish(new Placed(), PARALLEL)).isSameAs(error);
    returned.set(true);

    assertThat(log).containsExactly("awaited");
  }

  @Test
  void itemsOfTheContextAreSharedByTheThreads() {
    ContextKey<String> key = ContextKey.named("key");
    CountDownLatch put = new CountDownLatch(1);
    Mediator mediator =
        Mediator.builder()
            .event(
                Placed.class,
                (event, context) -> {
                  put.await();
                  log.add(context.get(key));
                })
            .event(
                Placed.class,
                (event, context) -> {
                  context.put(key, "shared");
                  put.countDown();
                })
            .build();

    mediator.publish(new Placed(), PARALLEL);

    assertThat(log).containsExactly("shared");
  }

  @Test
  void theGivenExecutorRunsAllButTheFirst() {
    Set<Thread> submitted = ConcurrentHashMap.newKeySet();
    Mediator mediator =
        Mediator.builder()
            .executor(
                task -> {
                  log.add("executed");
                  submitted.add(Thread.currentThread());
                  task.run();
                })
            .event(Placed.class, (event, context) -> log.add("one"))
            .event(Placed.class, (event, context) -> log.add("two"))
            .build();

    mediator.publish(new Placed(), PARALLEL);

    assertThat(log).containsExactly("executed", "two", "one");
  }

  @Test
  void whatTheExecutorRejectsRunsInThePublishersThread() {
    assertRunOnThePublishersThread(
        task -> {
          throw new RejectedExecutionException("full");
        });
  }

  @Test
  void withoutAThreadForThemTheHandlersRunOnThePublishersOwn() {
    assertRunOnThePublishersThread(
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        });
  }

  private void assertRunOnThePublishersThread(Executor executor) {
    EventHandler<Placed> noting = (event, context) -> log.add(Thread.currentThread().getName());
    Mediator mediator =
        Mediator.builder()
            .executor(executor)
            .event(Placed.class, noting)
            .event(Placed.class, noting)
            .build();

    mediator.publish(new Placed(), PARALLEL);

    String own = Thread.currentThread().getName();
    assertThat(log).containsExactly(own, own);
  }

  @Test
  void anInterruptOfThePublisherReachesTheHandlers() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Mediator mediator =
        Mediator.builder()
            .event(Placed.class, (event, context) -> log.add("one"))
            .event(
                Placed.class,
                (event, context) -> {
                  running.countDown();
                  never.await();
                })
            .build();
    Thread publisher =
        new Thread(
            () -> {
              try {
                mediator.publish(new Placed(), PARALLEL);
              } catch (Exception error) {
                log.add(error.getClass().getSimpleName());
                log.add(Thread.currentThread().isInterrupted() ? "interrupted" : "lost");
              }
            });

    publisher.start();
    running.await();
    publisher.interrupt();
    publisher.join();

    assertThat(log).containsExactly("one", "InterruptedException", "interrupted");
  }
}
