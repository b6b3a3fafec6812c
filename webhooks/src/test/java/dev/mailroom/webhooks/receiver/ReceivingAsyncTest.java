package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.Post.SECRET;
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
  private static final Letter LETTER = Letter.to("shop", "order.paid", "evt-1");

  private final Post post =
      new Post(webhooks -> webhooks.bodyLimit(2 << 20).source(Post.source("shop")));

  private static WebhookResponse send(Post post, Letter letter) {
    CompletableFuture<WebhookResponse> answer =
        post.webhooks.receiveAsync(letter.request()).toCompletableFuture();
    assertThat(answer).succeedsWithin(30, TimeUnit.SECONDS);
    return answer.join();
  }

  private WebhookResponse send(Letter letter) {
    return send(post, letter);
  }

  @Test
  void a_new_event_is_accepted_and_a_known_one_is_fine() {
    assertThat(send(LETTER)).isEqualTo(WebhookResponse.of(202));
    assertThat(send(LETTER)).isEqualTo(WebhookResponse.of(200));
    assertThat(post.send(LETTER)).as("waited for").isEqualTo(WebhookResponse.of(200));

    assertThat(post.messages()).hasSize(1);
    Tags shop = new Tags("webhooks", null, null, "shop", null);
    assertThat(post.told.of(Counter.EVENT_RECEIVED)).isEqualTo(Map.of(shop, 1L));
    assertThat(post.told.of(Counter.EVENT_DUPLICATE)).isEqualTo(Map.of(shop, 2L));
  }

  @Test
  void what_is_not_stored_is_answered_at_once() {
    assertThat(send(LETTER.at("/webhooks/nobody")).status()).isEqualTo(404);
    assertThat(send(LETTER.without("x-secret")).status()).isEqualTo(401);
    assertThat(send(LETTER.by("GET").without("x-secret")))
        .isEqualTo(WebhookResponse.text(200, "hello"));
    assertThat(send(LETTER.with("x-type", "ping"))).isEqualTo(WebhookResponse.text(200, "pong"));
    assertThat(post.messages()).isEmpty();
  }

  @Test
  void a_store_that_is_down_makes_the_sender_come_again() {
    post.store.isDown = true;
    WebhookResponse response = send(LETTER);

    assertThat(response.status()).isEqualTo(503);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"store-unavailable\"}");
    assertThat(response.headers()).containsEntry("Retry-After", "30");
    assertThat(send(LETTER.with("x-many", "yes").saying("a\nb\n")).status()).isEqualTo(503);

    post.store.isDown = false;
    assertThat(send(LETTER).status()).isEqualTo(202);
  }

  @Test
  void an_event_that_the_mailroom_cannot_take_is_too_large() {
    WebhookResponse response = send(LETTER.saying("x".repeat(1_000_001)));

    assertThat(response.status()).isEqualTo(413);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"event-too-large\"}");
  }

  @Test
  void a_request_of_many_events_becomes_as_many_messages() {
    assertThat(send(LETTER.with("x-many", "yes").saying("a\nb\n")).status()).isEqualTo(202);

    assertThat(post.messages()).hasSize(2);
  }

  @Test
  void a_provider_that_throws_is_no_crash() {
    Post odd =
        new Post(
            webhooks ->
                webhooks.source(
                    Source.of(
                            "odd",
                            new LetterBox() {
                              @Override
                              public Acknowledgement acknowledgement() {
                                throw new StackOverflowError("too deep");
                              }
                            })
                        .secret(SECRET)
                        .build()));

    WebhookResponse response = send(odd, Letter.to("odd", "a", "1"));

    assertThat(response.status()).isEqualTo(503);
    assertThat(Post.text(response)).isEqualTo("{\"error\":\"provider-failed\"}");
    assertThat(odd.send(Letter.to("odd", "a", "1")).status()).as("waited for").isEqualTo(503);
  }

  @Test
  void nobody_is_told_that_an_event_is_stored_before_it_is() throws Exception {
    Slow slow = new Slow();
    Webhooks webhooks = Webhooks.builder().source(Post.source("shop")).build();
    Mailroom.builder()
        .store(slow.withCapabilities())
        .storageRetry(StorageRetry.builder().retries(0).build())
        .add(webhooks)
        .build();

    CompletableFuture<WebhookResponse> answer =
        webhooks.receiveAsync(LETTER.request()).toCompletableFuture();
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
  void without_a_mailroom_there_is_no_answer() {
    Webhooks alone = Webhooks.builder().source(Post.source("shop")).build();

    assertThatIllegalStateException().isThrownBy(() -> alone.receiveAsync(LETTER.request()));
  }
}
