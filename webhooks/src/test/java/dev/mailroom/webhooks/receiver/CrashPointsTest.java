package dev.mailroom.webhooks.receiver;

import static dev.mailroom.webhooks.receiver.WebhooksFixture.THREE_TIMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.options.StorageRetry;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.Webhooks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three handlers, of which the second fails twice: seven writes in all. A process loses its store
 * at each of them, before or after it took effect, and another process resumes.
 */
class CrashPointsTest {
  private static final int WRITES = 7;
  private static final Duration LONG = Duration.ofMinutes(10);

  private final ManualTime time = new ManualTime();
  private final MemoryStore memory = MemoryStore.builder().time(time).build();
  private final List<String> calls = new ArrayList<>();

  static Stream<Arguments> crashPoints() {
    return IntStream.rangeClosed(1, WRITES)
        .boxed()
        .flatMap(write -> Stream.of(Arguments.of(write, false), Arguments.of(write, true)));
  }

  @ParameterizedTest(name = "write {0}, taken effect: {1}")
  @MethodSource("crashPoints")
  void nothingIsLostAndOneCallAtMostIsRepeated(int write, boolean tookEffect) {
    CutOff cutOff = new CutOff(memory, write, tookEffect);
    Webhooks first = webhooks();
    Mailroom dying = mailroom(cutOff, first);
    first.receive(TestRequest.to("shop", "paid", "e").request());
    run(dying);
    assertThat(cutOff.isCutOff()).as("the process reached its last write").isTrue();

    Mailroom next = mailroom(memory, webhooks());
    run(next);

    assertThat(next.inbox("webhooks").inspect().counts().ready()).isZero();
    assertThat(next.inbox("webhooks").inspect().counts().scheduled()).isZero();
    assertThat(next.inbox("webhooks").deadLetters().list(DeadLetterFilter.all(), 1).letters())
        .isEmpty();
    assertThat(calls)
        .containsSubsequence("first #1", "second #1", "second #2", "second #3", "third #1");
    List<String> normal = List.of("first #1", "second #1", "second #2", "second #3", "third #1");
    List<String> again = new ArrayList<>(calls);
    normal.forEach(again::remove);
    assertThat(again).as("repeated calls").hasSizeLessThanOrEqualTo(1);
    assertThat(Collections.frequency(calls, "first #1"))
        .as("a success that was stored is not had again")
        .isEqualTo(write == 1 && !tookEffect ? 2 : 1);
  }

  /** Works until nothing is left, or until it is cut off and can do nothing more. */
  private void run(Mailroom mailroom) {
    ManualEngine engine = new ManualEngine(mailroom, "webhooks");
    for (int i = 0; i < 10; i++) {
      time.advance(LONG);
      try {
        engine.reclaim();
        time.advance(LONG);
        engine.fetch();
        engine.handle();
        engine.settle();
      } catch (TransientStoreException cutOff) {
        return;
      }
    }
  }

  private Mailroom mailroom(Store store, Webhooks webhooks) {
    return Mailroom.builder()
        .store(store)
        .time(time)
        .storageRetry(StorageRetry.builder().retries(0).build())
        .add(webhooks)
        .build();
  }

  private Webhooks webhooks() {
    return Webhooks.builder()
        .source(WebhooksFixture.source("shop"))
        .handler("first", options -> options.retry(THREE_TIMES), event -> called("first", event))
        .handler(
            "second",
            options -> options.retry(THREE_TIMES),
            event -> {
              called("second", event);
              return event.attempt() < 3 ? Result.fail("not yet") : Result.success();
            })
        .handler("third", options -> options.retry(THREE_TIMES), event -> called("third", event))
        .build();
  }

  private Result called(String name, WebhookDelivery event) {
    calls.add(name + " #" + event.attempt());
    return Result.success();
  }

  /**
   * A store that is unavailable from its n-th write on; the reply to that write is lost in any
   * case.
   */
  private static final class CutOff extends ForwardingStore {
    private final int last;
    private final boolean tookEffect;
    private int writes;

    private CutOff(Store delegate, int last, boolean tookEffect) {
      super(delegate);
      this.last = last;
      this.tookEffect = tookEffect;
    }

    private boolean isCutOff() {
      return writes >= last;
    }

    private void write(Runnable effect) {
      writes++;
      if (writes < last || (writes == last && tookEffect)) {
        effect.run();
      }
      if (isCutOff()) {
        throw new TransientStoreException("The store is unavailable.");
      }
    }

    @Override
    public void checkpoint(Channel channel, Checkpoint checkpoint) {
      write(() -> super.checkpoint(channel, checkpoint));
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      write(() -> super.settle(channel, settlements));
      return Set.of();
    }

    @Override
    public int reclaim(Channel channel, int limit) {
      if (isCutOff()) {
        throw new TransientStoreException("The store is unavailable.");
      }
      return super.reclaim(channel, limit);
    }
  }
}
