package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static dev.mailroom.storetestkit.contract.Line.only;
import static dev.mailroom.storetestkit.contract.Request.request;
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
import dev.mailroom.storetestkit.Messages;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Rule 11: everything up to the stated limit works; beyond it is an error before any write. */
abstract class LimitsContract extends Topic {

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
    Line line = line();

    List<AppendResult> results = line.appendAll(many(Limits.APPEND_BATCH));
    assertThat(results).extracting(AppendResult::accepted).containsOnly(true);

    Lease lease = line.lease(request().limit(Limits.BATCH));
    assertThat(lease.messages()).hasSize(Limits.BATCH);
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
    line.assertIdle();
  }

  @Test
  void a_claim_buries_no_more_than_the_limit() {
    Line line = line();
    MessageDraft[] drafts = many(Limits.APPEND_BATCH);
    for (MessageDraft draft : drafts) {
      draft.lifetime(minutes(1));
    }
    line.appendAll(drafts);
    line.appendAll(message("one more").lifetime(minutes(1)), message("alive"));
    advance(minutes(2));
    int died = 0;
    Claim claim;
    do {
      claim = line.claim();
      assertThat(claim.died()).hasSizeBetween(0, Limits.BATCH);
      died += claim.died().size();
    } while (!claim.died().isEmpty());

    assertThat(died).isEqualTo(Limits.APPEND_BATCH + 1);
    assertThat(line.crash()).as("leased on the way: the one that is alive").isEqualTo(1);
  }

  @Test
  void a_batch_beyond_the_limit_is_refused_and_nothing_is_stored() {
    Line line = line();

    assertRefused(() -> line.appendAll(many(Limits.APPEND_BATCH + 1)));
    line.assertIdle();
  }

  @Test
  void an_empty_batch_is_refused() {
    assertRefused(() -> store.append(line().channel(), List.of(), null));
  }

  @Test
  void more_settlements_than_the_limit_are_refused_and_nothing_is_settled() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    Settlement settlement = new Settlement(only(lease).id(), lease.token(), Verdict.completed());

    assertRefused(
        () -> store.settle(line.channel(), Collections.nCopies(Limits.BATCH + 1, settlement)));
    assertThat(line.settle(lease, Verdict.completed())).isEmpty();
  }

  @Test
  void counts_outside_their_range_are_refused() {
    Channel channel = line().channel();
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
  void the_longest_keys_are_told_apart_by_their_last_character() {
    String stem = "☃".repeat(Limits.KEY_LENGTH - 1);
    Line line = line(channelNamed(stem + "c"));
    MessageDraft one = longest(stem + "1");
    MessageDraft two = longest(stem + "2");
    line.appendAll(one, two);

    assertThat(line.lease(request().tenant(stem + "1")).messages())
        .singleElement()
        .satisfies(message -> assertThat(message.envelope()).isEqualTo(one.build().envelope()));
    assertThat(line.append(longest(stem + "1")).id()).isEqualTo(one.id());
    assertThat(line.append(longest(stem + "2")).id()).isEqualTo(two.id());
  }

  private static ChannelDraft channelNamed(String name) {
    String unique = UUID.randomUUID().toString();
    return Messages.channel(unique + name.substring(unique.length()));
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
    Line line = line();
    line.append(draft);

    assertThat(only(line.lease()).envelope().headers())
        .hasSize(Limits.HEADERS)
        .isEqualTo(draft.build().envelope().headers());
  }

  @Test
  void the_largest_payload_comes_back() {
    byte[] bytes = new byte[Limits.DEFAULT_PAYLOAD_BYTES];
    Arrays.fill(bytes, (byte) 0xA5);
    Line line = line();
    line.append(message("a").bytes("application/octet-stream", bytes));

    assertThat(only(line.lease()).envelope().payload().bytes()).isEqualTo(bytes);
  }

  @Test
  void the_longest_error_comes_back() {
    String text = "☃".repeat(Limits.ERROR_LENGTH);
    LastError error = new LastError(text, text, text);
    Line line = line();
    line.appendAll(message("retried"), message("dead"));
    Lease lease = line.lease();
    line.settle(lease, "retried", new Outcome.Retried(seconds(1), error, Outcome.Counts.ATTEMPT));
    line.settle(lease, "dead", new Outcome.Dead(error));
    advance(seconds(1));

    assertThat(only(line.lease()).progress().lastError()).isEqualTo(error);
    assertThat(line.deadLetters().get(0).error()).isEqualTo(error);
  }

  @Test
  void as_many_checkpoints_as_allowed_are_kept_and_no_more() {
    Line line = line();
    line.append(message("a"));
    Lease lease = line.lease();
    String longest = "☃".repeat(Limits.KEY_LENGTH - 3);
    for (int i = 0; i < Limits.CHECKPOINTS; i++) {
      checkpoint(line, lease, longest + (100 + i), longest + "abc");
    }

    assertRefused(() -> checkpoint(line, lease, "one too many", "done"));
    checkpoint(line, lease, longest + 100, "a known step may still be recorded");

    line.settle(lease, Verdict.released());
    assertThat(only(line.lease()).checkpoints())
        .hasSize(Limits.CHECKPOINTS)
        .containsEntry(longest + 199, longest + "abc")
        .containsEntry(longest + 100, "a known step may still be recorded");
  }

  private void checkpoint(Line line, Lease lease, String step, String outcome) {
    store.checkpoint(
        line.channel(), new Checkpoint(only(lease).id(), lease.token(), step, outcome));
  }
}
