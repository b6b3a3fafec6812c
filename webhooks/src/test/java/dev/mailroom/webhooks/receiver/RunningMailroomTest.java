package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.webhooks.Webhooks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Webhooks with the engine's threads, on the host's clock. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RunningMailroomTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource
  void an_event_is_handled_by_its_receiver_without_a_poll(StoreKind base) throws Exception {
    CountDownLatch idle = new CountDownLatch(1);
    CountDownLatch handled = new CountDownLatch(2);
    Webhooks webhooks =
        Webhooks.builder()
            .source(WebhooksFixture.source("shop"))
            .options(options -> options.poll(HOUR, HOUR))
            .handler(
                "waits",
                event -> {
                  idle.countDown();
                  handled.countDown();
                  return Result.success();
                })
            .build();
    try (StoreKind.Opened opened = base.open();
        Mailroom mailroom = Mailroom.builder().store(opened.store()).add(webhooks).build()) {
      mailroom.start();
      webhooks.receive(TestRequest.to("shop", "paid", "1").request());
      assertThat(idle.await(1, TimeUnit.MINUTES)).isTrue();
      webhooks.receive(TestRequest.to("shop", "paid", "2").request());

      assertThat(handled.await(1, TimeUnit.MINUTES)).as("the next poll is in an hour").isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void texts_of_any_characters_and_lengths_are_stored(StoreKind base) {
    Webhooks webhooks = Webhooks.builder().source(WebhooksFixture.source("shop")).build();
    try (StoreKind.Opened opened = base.open();
        Mailroom mailroom = Mailroom.builder().store(opened.store()).add(webhooks).build()) {
      List<String> odd = List.of("a\0b", "\uD800", "x\uDC00", "\uD83D\uDE00", "x".repeat(9_000));
      for (String text : odd) {
        TestRequest request =
            TestRequest.to("shop", text, text).with("x-entity", text).with("x-tenant", text);
        assertThat(webhooks.receive(request.request()).status()).isEqualTo(202);
        assertThat(webhooks.receive(request.request()).status()).isEqualTo(200);
      }
      assertThat(mailroom.inbox("webhooks").inspect().counts().ready()).isEqualTo(odd.size());
    }
  }

  @Test
  void a_handler_that_a_shutdown_interrupts_has_not_failed() throws Exception {
    MemoryStore store = MemoryStore.create();
    CountDownLatch started = new CountDownLatch(1);
    List<Integer> attempts = new CopyOnWriteArrayList<>();
    Webhooks stopped =
        Webhooks.builder()
            .source(WebhooksFixture.source("shop"))
            .options(options -> options.shutdownGrace(Duration.ZERO))
            .handler(
                "slow",
                options -> options.attempts(1),
                event -> {
                  attempts.add(event.attempt());
                  started.countDown();
                  new CountDownLatch(1).await();
                  return Result.success();
                })
            .build();
    try (Mailroom mailroom = Mailroom.builder().store(store).add(stopped).build()) {
      mailroom.start();
      stopped.receive(TestRequest.to("shop", "paid", "1").request());
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
    }

    Webhooks next =
        Webhooks.builder()
            .handler(
                "slow",
                options -> options.attempts(1),
                event -> {
                  attempts.add(event.attempt());
                  return Result.success();
                })
            .build();
    try (Mailroom mailroom = Mailroom.builder().store(store).add(next).build()) {
      assertThat(next.processPending()).isEqualTo(1);
      assertThat(mailroom.inbox("webhooks").inspect().counts().dead()).isZero();
    }
    assertThat(attempts).containsExactly(1, 1);
  }
}
