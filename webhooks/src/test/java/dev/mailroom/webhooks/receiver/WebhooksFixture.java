package dev.mailroom.webhooks.receiver;

import dev.mailroom.Inbox;
import dev.mailroom.Mailroom;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.ChannelCounts;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import dev.mailroom.transactions.Transaction;
import dev.mailroom.webhooks.Source;
import dev.mailroom.webhooks.WebhookResponse;
import dev.mailroom.webhooks.Webhooks;
import dev.mailroom.webhooks.WebhooksBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Webhooks over the in-memory store, with a manual clock. */
final class WebhooksFixture {
  static final String SECRET = "swordfish";
  static final Duration SECOND = Duration.ofSeconds(1);
  static final RetryPolicy THREE_TIMES =
      RetryPolicy.builder().attempts(3).backoff(Backoff.fixed(SECOND).withJitter(0)).build();

  final ManualTime time = new ManualTime();
  final RecordingTelemetry telemetry = new RecordingTelemetry();
  final FailingStore store;
  Webhooks webhooks;
  Mailroom mailroom;

  WebhooksFixture(UnaryOperator<WebhooksBuilder> description) {
    this(MemoryStore.DEFAULT_CAPACITY, description);
  }

  WebhooksFixture(int capacity, UnaryOperator<WebhooksBuilder> description) {
    this.store = new FailingStore(MemoryStore.builder().time(time).capacity(capacity).build());
    open(description);
  }

  /** Another version of the application, over the same store. */
  void open(UnaryOperator<WebhooksBuilder> description) {
    webhooks = description.apply(Webhooks.builder()).build();
    mailroom =
        Mailroom.builder()
            .store(store.withCapabilities())
            .time(time)
            .telemetry(telemetry)
            .codec(new JacksonCodec())
            .maximumPayload(1_000_000)
            .storageRetry(StorageRetry.builder().retries(0).build())
            .add(webhooks)
            .build();
  }

  /** A source of a {@link HeaderProvider} with the usual secret. */
  static Source source(String name) {
    return Source.of(name, new HeaderProvider()).secret(SECRET).build();
  }

  WebhookResponse send(TestRequest request) {
    return webhooks.receive(request.request());
  }

  static String text(WebhookResponse response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  Inbox inbox() {
    return mailroom.inbox("webhooks");
  }

  ManualEngine worker() {
    return new ManualEngine(mailroom, "webhooks");
  }

  void advance(Duration duration) {
    time.advance(duration);
  }

  ChannelCounts counts() {
    return inbox().inspect().counts();
  }

  /** All stored messages that are not dead. */
  List<Message> messages() {
    return inbox().inspect().search(MessageFilter.all(), 100).messages().stream()
        .map(found -> found.message())
        .toList();
  }

  /** The only message. */
  Message message() {
    List<Message> all = messages();
    if (all.size() != 1) {
      throw new AssertionError("expected one message, not " + all);
    }
    return all.get(0);
  }

  List<DeadLetter> deadLetters() {
    return inbox().deadLetters().list(DeadLetterFilter.all(), 100).letters();
  }

  /** A store that can be down, and counts checkpoints. */
  static final class FailingStore extends ForwardingStore {
    boolean isDown;
    int refusedCheckpoints;
    int checkpoints;

    FailingStore(MemoryStore memory) {
      super(memory);
    }

    @Override
    public List<AppendResult> append(
        Channel channel, List<NewMessage> messages, @Nullable Transaction transaction) {
      if (isDown) {
        throw new TransientStoreException("The store is down.");
      }
      return super.append(channel, messages, transaction);
    }

    @Override
    public void checkpoint(Channel channel, Checkpoint checkpoint) {
      if (refusedCheckpoints > 0) {
        refusedCheckpoints--;
        throw new TransientStoreException("The store is down.");
      }
      checkpoints++;
      super.checkpoint(channel, checkpoint);
    }
  }
}
