package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.messages.Limits;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Handlers that are faster than the store: what they leave to be stored does not grow for ever. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SlowSettlingTest {
  private static final int MESSAGES = Limits.BATCH + Limits.BATCH / 2;
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineFixture fixture = EngineFixture.live();
  private final Gate store = new Gate(fixture.failing);
  private final AtomicInteger handled = new AtomicInteger();

  @AfterEach
  void no_thread_is_left() {
    store.gate.countDown();
    fixture.close();
    Await.noEngineThreads();
  }

  /** A store that stores no outcome until the test opens its gate. */
  private static final class Gate extends ForwardingStore {
    final CountDownLatch gate = new CountDownLatch(1);

    Gate(Store delegate) {
      super(delegate);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      Await.latch(gate);
      return super.settle(channel, settlements);
    }
  }

  /** No poll helps: leasing goes on because the settler says that it has caught up. */
  @Test
  void nothing_is_leased_while_too_many_outcomes_wait_and_leasing_goes_on_after_that() {
    fixture
        .options(options -> options.poll(HOUR, HOUR))
        .settings(builder -> builder.store(store))
        .handler(
            delivery -> {
              handled.incrementAndGet();
              return Result.success();
            });
    fixture.inbox().writeAll(Collections.nCopies(Limits.APPEND_BATCH, "text"));
    fixture.inbox().writeAll(Collections.nCopies(MESSAGES - Limits.APPEND_BATCH, "text"));
    fixture.start();
    Await.until("more wait than may", () -> handled.get() > Limits.BATCH);
    Await.fetcherRests(EngineFixture.INBOX);

    assertThat(handled.get()).isLessThan(MESSAGES - 1_000);
    store.gate.countDown();
    Await.until("all are done", () -> fixture.alive() == 0);
    assertThat(handled.get()).isEqualTo(MESSAGES);
  }
}
