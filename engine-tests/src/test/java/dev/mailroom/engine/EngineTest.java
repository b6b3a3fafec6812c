package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Measure;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The engine with its threads: how much it takes, what wakes it, and that nothing is left. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineFixture fixture = EngineFixture.live();
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    fixture.close();
    Await.noEngineThreads();
  }

  /** An inbox that would look by itself only once an hour. */
  private void pollHourly() {
    fixture
        .options(options -> options.poll(HOUR, HOUR))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            })
        .start();
    Await.fetcherRests(EngineFixture.INBOX);
  }

  private void awaitHandled(String text) {
    Await.until(text + " is handled", () -> handled.contains(text));
  }

  @Test
  void as_many_handlers_run_at_once_as_configured_and_never_more() {
    int concurrency = 7;
    CountDownLatch all = new CountDownLatch(concurrency);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    fixture
        .options(options -> options.concurrency(concurrency))
        .handler(
            delivery -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              all.countDown();
              Await.latch(all); // opens only when that many are here at once
              running.decrementAndGet();
              return Result.success();
            });
    fixture.inbox().writeAll(Collections.nCopies(500, "a"));

    fixture.start();
    Await.until("all are handled", () -> fixture.alive() == 0);

    assertThat(most.get()).isEqualTo(concurrency);
  }

  @Test
  void slow_handlers_keep_nothing_from_others() {
    CountDownLatch all = new CountDownLatch(4);
    CountDownLatch finish = new CountDownLatch(1);
    fixture
        .options(options -> options.concurrency(4).readBatch(50))
        .handler(
            delivery -> {
              all.countDown();
              Await.latch(finish);
              return Result.success();
            });
    fixture.inbox().writeAll(Collections.nCopies(200, "a"));

    fixture.start();
    Await.latch(all);
    Await.fetcherRests(EngineFixture.INBOX);

    assertThat(fixture.counts().leased()).isEqualTo(4);
    assertThat(fixture.counts().ready()).isEqualTo(196);
    finish.countDown();
    Await.until("all are handled", () -> fixture.alive() == 0);
  }

  @Test
  void prefetching_does_not_exceed_the_window() {
    int batch = 10;
    fixture
        .options(options -> options.concurrency(2).readBatch(batch))
        .handler(delivery -> Result.success());
    fixture.inbox().writeAll(Collections.nCopies(5_000, "a"));

    fixture.start();
    Await.until("all are handled", () -> fixture.alive() == 0);

    assertThat(fixture.telemetry.values(Measure.BATCH_SIZE))
        .allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(batch));
    assertThat(fixture.telemetry.values(Measure.BUFFERED))
        .allSatisfy(buffered -> assertThat(buffered).isLessThanOrEqualTo(2 * batch + 2));
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(5_000);
  }

  @Test
  void a_stored_message_wakes_the_fetcher_without_waiting_for_the_poll() {
    pollHourly();

    fixture.write("a");
    awaitHandled("a");
    Await.fetcherRests(EngineFixture.INBOX);
    fixture.writeAll("b", "c");
    awaitHandled("c");
  }

  @Test
  void a_message_stored_by_another_process_wakes_the_fetcher_where_the_store_tells() {
    pollHourly();
    Mailroom other = fixture.node(inbox -> {});

    other.inbox(EngineFixture.INBOX).write("from elsewhere");

    awaitHandled("from elsewhere");
  }

  @Test
  void scheduled_messages_wake_the_fetcher_when_they_are_due() {
    pollHourly();

    fixture.write("soon", options -> options.delay(Duration.ofMillis(50)));

    awaitHandled("soon");
  }

  @Test
  void a_message_moved_to_an_earlier_time_wakes_the_fetcher() {
    pollHourly();
    UUID id = fixture.write("later", options -> options.delay(HOUR));
    Await.fetcherRests(EngineFixture.INBOX);

    assertThat(fixture.inbox().reschedule(id, Instant.EPOCH)).isTrue();

    awaitHandled("later");
  }

  @Test
  void retries_and_redriven_dead_letters_wake_the_fetcher() {
    RetryPolicy quick =
        RetryPolicy.builder().attempts(3).backoff(Backoff.fixed(Duration.ofMillis(20))).build();
    fixture
        .options(options -> options.poll(HOUR, HOUR).retry(quick))
        .handler(
            delivery -> {
              handled.add(delivery.payload() + "#" + delivery.attempt());
              return Result.fail("no");
            })
        .start();
    fixture.write("a");
    Await.until("it is dead", () -> fixture.counts().dead() == 1);
    assertThat(handled).containsExactly("a#1", "a#2", "a#3");
    Await.fetcherRests(EngineFixture.INBOX);

    fixture.inbox().deadLetters().redrive(DeadLetterFilter.all());

    Await.until("it is dead again", () -> handled.size() == 6 && fixture.counts().dead() == 1);
  }

  @Test
  void the_next_message_of_a_group_does_not_wait_for_the_poll() {
    fixture
        .options(
            options ->
                options.poll(HOUR, HOUR).ordering(Ordering.REQUIRED).readBatch(1).concurrency(1))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    fixture.writeGrouped("a1", "a2", "a3", "a4");

    fixture.start();

    awaitHandled("a4");
    assertThat(handled).containsExactly("a1", "a2", "a3", "a4");
  }

  @Test
  void two_engines_over_one_store_handle_each_message_once_and_keep_the_order_of_groups() {
    int groups = 100;
    int perGroup = 100;
    Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
    Set<Mailroom> workers = ConcurrentHashMap.newKeySet();
    fixture.options(options -> options.ordering(Ordering.REQUIRED)).writeOnly();
    List<Mailroom> nodes = new ArrayList<>();
    CountDownLatch both = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      Mailroom[] self = new Mailroom[1];
      self[0] =
          fixture.node(
              inbox ->
                  inbox.handler(
                      String.class,
                      delivery -> {
                        if (workers.add(self[0])) {
                          both.countDown();
                        }
                        Await.latch(both); // neither node does it all alone
                        seen.computeIfAbsent(
                                delivery.groupKey(),
                                key -> Collections.synchronizedList(new ArrayList<>()))
                            .add(Integer.valueOf(delivery.payload()));
                        return Result.success();
                      }));
      nodes.add(self[0]);
    }
    for (int i = 0; i < perGroup; i++) {
      for (int group = 0; group < groups; group++) {
        String key = "g" + group;
        fixture.write(Integer.toString(i), options -> options.groupKey(key));
      }
    }

    nodes.forEach(Mailroom::start);
    Await.until("all are handled", () -> fixture.alive() == 0);
    nodes.forEach(Mailroom::close);

    Map<String, List<Integer>> expected = new HashMap<>();
    List<Integer> inOrder = IntStream.range(0, perGroup).boxed().toList();
    IntStream.range(0, groups).forEach(group -> expected.put("g" + group, inOrder));
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void handlers_run_on_virtual_threads_where_the_java_version_has_them() throws Exception {
    List<Thread> threads = new CopyOnWriteArrayList<>();
    fixture
        .handler(
            delivery -> {
              threads.add(Thread.currentThread());
              return Result.success();
            })
        .start();
    fixture.write("a");
    Await.until("it is handled", () -> !threads.isEmpty());

    assertThat(threads.get(0).getName()).startsWith("mailroom-notes-handler-");
    assertThat(isVirtual(threads.get(0))).isEqualTo(Runtime.version().feature() >= 21);
    assertThat(Await.engineThreads()).contains("mailroom-notes-fetcher", "mailroom-notes-settler");
  }

  private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
    for (Method method : Thread.class.getMethods()) {
      if (method.getName().equals("isVirtual")) {
        return (boolean) method.invoke(thread);
      }
    }
    return false;
  }
}
