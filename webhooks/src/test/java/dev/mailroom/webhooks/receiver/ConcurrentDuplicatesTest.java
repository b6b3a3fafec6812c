package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.webhooks.Webhooks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A sender that sends one event many times at once. */
class ConcurrentDuplicatesTest {
  private static final int THREADS = 64;
  private static final int EVENTS = 10;

  @ParameterizedTest(name = "one of 64 requests stores the event, on {0}")
  @EnumSource
  void oneIsNew(StoreKind base) throws Exception {
    Webhooks webhooks = Webhooks.builder().source(WebhooksFixture.source("shop")).build();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (StoreKind.Opened opened = base.open();
        Mailroom mailroom = Mailroom.builder().store(opened.store()).add(webhooks).build()) {
      for (int event = 0; event < EVENTS; event++) {
        List<Integer> expected = new ArrayList<>(Collections.nCopies(THREADS - 1, 200));
        expected.add(202);
        assertThat(sendConcurrently(threads, webhooks, "event-" + event))
            .containsExactlyInAnyOrderElementsOf(expected);
      }
      assertThat(mailroom.inbox("webhooks").inspect().counts().ready()).isEqualTo(EVENTS);
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private static List<Integer> sendConcurrently(
      ExecutorService threads, Webhooks webhooks, String id) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    List<Future<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      answers.add(
          threads.submit(
              () -> {
                barrier.await(1, TimeUnit.MINUTES);
                return webhooks.receive(TestRequest.to("shop", "paid", id).request()).status();
              }));
    }
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> answer : answers) {
      statuses.add(answer.get(2, TimeUnit.MINUTES));
    }
    return statuses;
  }
}
