package dev.mailroom.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.Mailroom;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.test.ManualTime;
import org.junit.jupiter.api.Test;

/** What is not stored is not acknowledged: the sender of the webhook retries. */
class ClosedMailroomTest {
  private final ManualTime time = new ManualTime();
  private final Source source = Source.of("hub", Providers.github()).secret("swordfish").build();
  private final Webhooks webhooks = Webhooks.builder().source(source).build();
  private final Mailroom mailroom =
      Mailroom.builder()
          .store(MemoryStore.builder().time(time).build())
          .time(time)
          .codec(new JacksonCodec())
          .add(webhooks)
          .build();
  private final WebhookRequest request = SampleWebhook.of(source).at(time.now());

  @Test
  void aWebhookIsRefusedSoThatItIsRedelivered() {
    mailroom.close();

    assertThat(webhooks.receive(request).status()).isEqualTo(503);
    assertThat(webhooks.receiveAsync(request).toCompletableFuture().join().status()).isEqualTo(503);
    assertThat(webhooks.inspect().counts().ready()).isZero();
    assertThatIllegalStateException().isThrownBy(webhooks::processPending);
  }

  @Test
  void beforeThatItIsStored() {
    assertThat(webhooks.receive(request).status()).isEqualTo(202);
    mailroom.close();

    assertThat(webhooks.inspect().counts().ready()).isEqualTo(1);
  }
}
