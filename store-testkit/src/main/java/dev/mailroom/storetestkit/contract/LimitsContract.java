package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Trace;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Checkpoint;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.storetestkit.ChannelDraft;
import dev.mailroom.storetestkit.MessageDraft;
import dev.mailroom.storetestkit.TestMessages;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Rule 11: everything up to the stated limit works; beyond it is an error before any write. */
abstract class LimitsContract extends StoreTestBase {

  LimitsContract(Callable<StoreFixture> source) {
    super(source);
  }

  private static MessageDraft[] many(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new);
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfAny(IllegalArgumentException.class, InvalidMessageException.class)
        .hasMessageMatching("(?s).*\\d.*");
  }

  @Test
  void the_largest_batches_are_appended_leased_and_settled() {
    TestChannel channel = channel();

    List<AppendResult> results = channel.appendAll(many(Limits.APPEND_BATCH));
    assertThat(results).extracting(AppendResult::accepted).containsOnly(true);

    Lease lease = channel.lease(request().limit(Limits.BATCH));
    assertThat(lease.messages()).hasSize(Limits.BATCH);
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
    channel.assertIdle();
  }

  @Test
  void a_claim_dead_letters_no_more_than_the_limit() {
    TestChannel channel = channel();
    MessageDraft[] drafts = many(Limits.APPEND_BATCH);
    for (MessageDraft draft : drafts) {
      draft.lifetime(minutes(1));
    }
    channel.appendAll(drafts);
    channel.appendAll(message("one more").lifetime(minutes(1)), message("alive"));
    advance(minutes(2));
    int died = 0;
    Claim claim;
    do {
      claim = channel.claim();
      assertThat(claim.deadLettered()).hasSizeBetween(0, Limits.BATCH);
      died += claim.deadLettered().size();
    } while (!claim.deadLettered().isEmpty());

    assertThat(died).isEqualTo(Limits.APPEND_BATCH + 1);
    assertThat(channel.crash()).as("leased on the way: the one that is alive").isEqualTo(1);
  }

  @Test
  void a_batch_beyond_the_limit_is_refused_and_nothing_is_stored() {
    TestChannel channel = channel();

    assertRefused(() -> channel.appendAll(many(Limits.APPEND_BATCH + 1)));
    channel.assertIdle();
  }

  @Test
  void an_empty_batch_is_refused() {
    assertRefused(() -> store.append(channel().definition(), List.of(), null));
  }

  @Test
  void more_settlements_than_the_limit_are_refused_and_nothing_is_settled() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    Settlement settlement =
        new Settlement(only(lease).id(), lease.token(), OutcomeSamples.completed());

    assertRefused(
        () ->
            store.settle(channel.definition(), Collections.nCopies(Limits.BATCH + 1, settlement)));
    assertThat(channel.settle(lease, OutcomeSamples.completed())).isEmpty();
  }

  @Test
  void counts_outside_their_range_are_refused() {
    Channel channel = channel().definition();
    DeadLetterFilter all = DeadLetterFilter.all();

    assertThat(List.of(-1, 0, Limits.BATCH + 1))
        .allSatisfy(
            count -> {
              assertRefused(() -> store.reclaim(channel, count));
              assertRefused(() -> store.deadLetters(channel, all, null, count));
              assertRefused(() -> store.redrive(channel, all, count));
              assertRefused(() -> store.discard(channel, all, count));
              assertRefused(() -> store.purge(channel, Purge.HISTORY, count));
            });
  }

  /** Characters, not bytes: a snowman counts one. */
  @Test
  void the_longest_keys_are_distinguished_by_their_last_character() {
    String stem = "☃".repeat(Limits.KEY_LENGTH - 1);
    TestChannel channel = channel(channelNamed(stem + "c"));
    MessageDraft one = longest(stem + "1");
    MessageDraft two = longest(stem + "2");
    channel.appendAll(one, two);

    assertThat(channel.lease(request().tenant(stem + "1")).messages())
        .singleElement()
        .satisfies(message -> assertThat(message.envelope()).isEqualTo(one.build().envelope()));
    assertThat(channel.append(longest(stem + "1")).id()).isEqualTo(one.id());
    assertThat(channel.append(longest(stem + "2")).id()).isEqualTo(two.id());
  }

  private static ChannelDraft channelNamed(String name) {
    String unique = UUID.randomUUID().toString();
    return TestMessages.channel(unique + name.substring(unique.length()));
  }

  private static MessageDraft longest(String key) {
    return message("m")
        .contract(key, Integer.MAX_VALUE)
        .tenant(key)
        .group(key)
        .key(key)
        .collapse(key)
        .trace(new Trace(key, key, key, "☃".repeat(Limits.TRACE_STATE_LENGTH)));
  }

  @Test
  void as_many_and_as_long_headers_as_allowed_come_back() {
    MessageDraft draft = message("a");
    for (int i = 0; i < Limits.HEADERS; i++) {
      draft.header("☃".repeat(Limits.KEY_LENGTH - 2) + (10 + i), "☃".repeat(Limits.HEADER_LENGTH));
    }
    TestChannel channel = channel();
    channel.append(draft);

    assertThat(only(channel.lease()).envelope().headers())
        .hasSize(Limits.HEADERS)
        .isEqualTo(draft.build().envelope().headers());
  }

  @Test
  void the_largest_payload_comes_back() {
    byte[] bytes = new byte[Limits.DEFAULT_PAYLOAD_BYTES];
    Arrays.fill(bytes, (byte) 0xA5);
    TestChannel channel = channel();
    channel.append(message("a").bytes("application/octet-stream", bytes));

    assertThat(only(channel.lease()).envelope().payload().bytes()).isEqualTo(bytes);
  }

  @Test
  void the_longest_error_comes_back() {
    String text = "☃".repeat(Limits.ERROR_LENGTH);
    LastError error = new LastError(text, text, text);
    TestChannel channel = channel();
    channel.appendAll(message("retried"), message("dead"));
    Lease lease = channel.lease();
    channel.settle(
        lease, "retried", new Outcome.Retried(seconds(1), error, Outcome.Counts.ATTEMPT));
    channel.settle(lease, "dead", new Outcome.Dead(error));
    advance(seconds(1));

    assertThat(only(channel.lease()).progress().lastError()).isEqualTo(error);
    assertThat(channel.deadLetters().get(0).error()).isEqualTo(error);
  }

  @Test
  void as_many_checkpoints_as_allowed_are_kept_and_no_more() {
    TestChannel channel = channel();
    channel.append(message("a"));
    Lease lease = channel.lease();
    String longest = "☃".repeat(Limits.KEY_LENGTH - 3);
    for (int i = 0; i < Limits.CHECKPOINTS; i++) {
      checkpoint(channel, lease, longest + (100 + i), longest + "abc");
    }

    assertRefused(() -> checkpoint(channel, lease, "one too many", "done"));
    checkpoint(channel, lease, longest + 100, "a known step may still be recorded");

    channel.settle(lease, OutcomeSamples.released());
    assertThat(only(channel.lease()).checkpoints())
        .hasSize(Limits.CHECKPOINTS)
        .containsEntry(longest + 199, longest + "abc")
        .containsEntry(longest + 100, "a known step may still be recorded");
  }

  private void checkpoint(TestChannel channel, Lease lease, String step, String outcome) {
    store.checkpoint(
        channel.definition(), new Checkpoint(only(lease).id(), lease.token(), step, outcome));
  }
}
