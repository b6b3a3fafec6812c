package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Mailroom;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.spi.Telemetry.Tags;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.transactions.Transaction;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.spi.Acknowledgement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that no thread waits for are answered as all others are, and not before. */
@Timeout(60)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReceivingAsyncTest {
  private static final TestRequest REQUEST = TestRequest.to("shop", "order.paid", "evt-1");

  private final WebhooksFixture fixture =
      new WebhooksFixture(
          webhooks -> webhooks.bodyLimit(2 << 20).source(WebhooksFixture.source("shop")));

  private static WebhookResponse send(WebhooksFixture fixture, TestRequest request) {
    CompletableFuture<WebhookResponse> answer =
        fixture.webhooks.receiveAsync(request.request()).toCompletableFuture();
    assertThat(answer).succeedsWithin(30, TimeUnit.SECONDS);
    return answer.join();
  }

  private WebhookResponse send(TestRequest request) {
    return send(fixture, request);
  }

  @Test
  void a_new_event_gets_202_and_a_duplicate_200() {
    assertThat(send(REQUEST)).isEqualTo(WebhookResponse.of(202));
    assertThat(send(REQUEST)).isEqualTo(WebhookResponse.of(200));
    assertThat(fixture.send(REQUEST)).as("waited for").isEqualTo(WebhookResponse.of(200));

    assertThat(fixture.messages()).hasSize(1);
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(fixture.telemetry.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 1L));
    assertThat(fixture.telemetry.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 2L));
  }

  @Test
  void a_refused_request_is_answered_at_once() {
    assertThat(send(REQUEST.withPath("/webhooks/unknown")).status()).isEqualTo(404);
    assertThat(send(REQUEST.without("x-secret")).status()).isEqualTo(401);
    assertThat(send(REQUEST.withMethod("GET").without("x-secret")))
        .isEqualTo(WebhookResponse.text(200, "hello"));
    assertThat(send(REQUEST.with("x-type", "ping"))).isEqualTo(WebhookResponse.text(200, "pong"));
    assertThat(fixture.messages()).isEmpty();
  }

  @Test
  void a_store_that_is_down_gets_503_with_retry_after() {
    fixture.store.isDown = true;
    WebhookResponse response = send(REQUEST);

    assertThat(response.status()).isEqualTo(503);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"store-unavailable\"}");
    assertThat(response.headers()).containsEntry("Retry-After", "30");
    assertThat(send(REQUEST.with("x-many", "yes").withBody("a\nb\n")).status()).isEqualTo(503);

    fixture.store.isDown = false;
    assertThat(send(REQUEST).status()).isEqualTo(202);
  }

  @Test
  void an_event_over_the_payload_limit_is_too_large() {
    WebhookResponse response = send(REQUEST.withBody("x".repeat(1_000_001)));

    assertThat(response.status()).isEqualTo(413);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"event-too-large\"}");
  }

  @Test
  void a_request_of_many_events_becomes_as_many_messages() {
    assertThat(send(REQUEST.with("x-many", "yes").withBody("a\nb\n")).status()).isEqualTo(202);

    assertThat(fixture.messages()).hasSize(2);
  }

  @Test
  void a_provider_that_throws_gets_503() {
    WebhooksFixture odd =
        new WebhooksFixture(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "odd",
                            new HeaderProvider() {
                              @Override
                              public Acknowledgement acknowledgement() {
                                throw new StackOverflowError("too deep");
                              }
                            })
                        .secret(SECRET)
                        .build()));

    WebhookResponse response = send(odd, TestRequest.to("odd", "a", "1"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(WebhooksFixture.text(response)).isEqualTo("{\"error\":\"provider-failed\"}");
    assertThat(odd.send(TestRequest.to("odd", "a", "1")).status()).as("waited for").isEqualTo(503);
  }

  @Test
  void no_response_says_that_an_event_is_stored_before_it_is() throws Exception {
    Slow slow = new Slow();
    Webhooks webhooks = Webhooks.builder().source(WebhooksFixture.source("shop")).build();
    Mailroom.builder()
        .store(slow.withCapabilities())
        .storageRetry(StorageRetry.builder().retries(0).build())
        .add(webhooks)
        .build();

    CompletableFuture<WebhookResponse> answer =
        webhooks.receiveAsync(REQUEST.request()).toCompletableFuture();
    slow.asked.acquire();
    assertThat(answer).isNotDone();
    slow.passes.release();

    assertThat(answer).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(WebhookResponse.of(202));
  }

  /** Stores when it is let. */
  private static final class Slow extends ForwardingStore {
    private final Semaphore asked = new Semaphore(0);
    private final Semaphore passes = new Semaphore(0);

    private Slow() {
      super(MemoryStore.builder().build());
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      asked.release();
      passes.acquireUninterruptibly();
      return super.append(channel, messages, transaction);
    }
  }

  @Test
  void receiving_without_a_mailroom_throws() {
    Webhooks alone = Webhooks.builder().source(WebhooksFixture.source("shop")).build();

    assertThatIllegalStateException().isThrownBy(() -> alone.receiveAsync(REQUEST.request()));
  }
}
