package dev.mailroom.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.InboxOptions;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Outcome;
import dev.mailroom.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which messages are leased as they arrive, and when a backlog in the store goes first. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PrefetchWindowTest {
  private static final int WORKERS = 4;

  private final Clock clock = new Clock();
  private final WorkBuffer buffer = new WorkBuffer();
  private boolean behind;
  private final PrefetchWindow window = new PrefetchWindow(spec(), buffer, () -> behind, clock);

  /** A monotonic clock may begin anywhere, and so far below zero. */
  private static final class Clock implements TimeSource {
    private long nanos = Long.MIN_VALUE / 2;

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public long nanos() {
      return nanos;
    }

    void pass(long millis) {
      nanos += Duration.ofMillis(millis).toNanos();
    }
  }

  private static final class FailingProcessor implements MessageProcessor {
    @Override
    public Batching batching() {
      return Batching.NONE;
    }

    @Override
    public Outcome handle(Message message, HandlerInvocation invocation) {
      throw new AssertionError("nothing is handled here");
    }

    @Override
    public List<Outcome> handleBatch(List<Message> messages, HandlerInvocation invocation) {
      throw new AssertionError("nothing is handled here");
    }

    @Override
    public boolean timed() {
      return false;
    }
  }

  private static ChannelSpec spec() {
    return new ChannelSpec(
        new Channel("channel", Ordering.NONE, ChannelPolicy.defaults()),
        MemoryStore.create(),
        InboxOptions.builder().concurrency(WORKERS).build(),
        "worker",
        new FailingProcessor());
  }

  private boolean invites(int messages) {
    boolean invited = window.reserve(messages);
    if (invited) {
      window.endReservation(messages);
    }
    return invited;
  }

  @Test
  void nothing_is_invited_before_a_claim_has_found_that_nothing_waits() {
    assertThat(invites(1)).isFalse();
    window.recordBacklog(false);
    assertThat(invites(1)).isTrue();
  }

  @Test
  void what_has_waited_in_the_store_for_a_while_goes_first() {
    window.recordBacklog(false);
    window.recordBacklog(true);
    clock.pass(100);
    assertThat(invites(1)).as("a claim was full just now").isTrue();
    window.recordBacklog(true);
    clock.pass(1);
    assertThat(invites(1)).as("claims have been full for long").isFalse();
    window.recordBacklog(false);
    assertThat(invites(1)).isTrue();
  }

  @Test
  void no_more_are_invited_than_can_be_begun_with() {
    window.recordBacklog(false);
    assertThat(invites(WORKERS + 1)).isFalse();
    assertThat(window.reserve(WORKERS - 1)).isTrue();
    assertThat(invites(2)).as("with those on their way").isFalse();
    assertThat(invites(1)).isTrue();
    window.endReservation(WORKERS - 1);
    assertThat(invites(WORKERS)).isTrue();
  }

  @Test
  void of_small_writes_as_many_are_invited_as_will_be_handled_soon() {
    window.recordBacklog(false);
    clock.pass(50);
    window.handled(200);
    assertThat(invites(100)).isTrue();
    assertThat(invites(101)).as("a large write").isFalse();
    assertThat(window.reserve(100)).isTrue();
    assertThat(window.reserve(100)).isTrue();
    assertThat(invites(WORKERS)).isTrue();
    assertThat(invites(WORKERS + 1)).as("more than is leased ahead").isFalse();
  }

  @Test
  void nothing_is_leased_while_the_settler_is_behind() {
    window.recordBacklog(false);
    behind = true;
    assertThat(invites(1)).isFalse();
    assertThat(window.claimLimit()).isZero();
    behind = false;
    assertThat(window.claimLimit()).isPositive();
  }
}
