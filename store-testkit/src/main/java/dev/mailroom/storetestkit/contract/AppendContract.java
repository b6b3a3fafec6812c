package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static dev.mailroom.storetestkit.contract.TestChannel.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.errors.ConflictingDuplicateException;
import dev.mailroom.errors.InvalidMessageException;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.storetestkit.MessageDraft;
import dev.mailroom.transactions.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A message is stored as it was written, all of a batch or nothing, and the answer says so. */
abstract class AppendContract extends StoreTestBase {

  AppendContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void a_message_comes_back_as_it_was_written() {
    MessageDraft draft =
        message("a")
            .contract("orders.order-placed", 3)
            .tenant("tenant")
            .group("group")
            .key("key")
            .collapse("collapse")
            .trace(new Trace("correlation", "causation", "00-4bf92f3577b34da6-00", "vendor=1"))
            .header("source", "web")
            .header("empty", "")
            .header("non-ascii", "naïve ☃ 😀");
    TestChannel channel = channel();
    channel.append(draft);

    Message message = only(channel.lease());

    assertThat(message.envelope()).isEqualTo(draft.build().envelope());
    assertThat(message.channel()).isEqualTo(channel.definition().name());
    assertThat(message.checkpoints()).isEmpty();
  }

  @Test
  void bytes_are_bytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    MessageDraft every = message("every").bytes("application/octet-stream", all);
    MessageDraft none = message("none").bytes("application/octet-stream", new byte[0]);
    TestChannel channel = channel();
    channel.appendAll(every, none);

    assertThat(channel.lease().messages())
        .extracting(message -> message.envelope().payload())
        .containsExactlyInAnyOrder(
            every.build().envelope().payload(), none.build().envelope().payload());
  }

  @Test
  void the_answer_says_accepted_with_the_id_and_the_time() {
    MessageDraft draft = message("a");
    Instant now = now();

    AppendResult result = channel().append(draft);

    assertThat(result).isEqualTo(new AppendResult(draft.id(), true, now));
  }

  @Test
  void the_results_of_a_batch_are_in_input_order() {
    TestChannel channel = channel();
    channel.append(message("first").key("taken"));
    MessageDraft[] drafts = new MessageDraft[20];
    for (int i = 0; i < drafts.length; i++) {
      drafts[i] = message("m" + i).key(i % 5 == 3 ? "taken" : "key-" + i);
    }

    List<AppendResult> results = channel.appendAll(drafts);

    for (int i = 0; i < drafts.length; i++) {
      assertThat(results.get(i).accepted()).as("accepted m" + i).isEqualTo(i % 5 != 3);
      if (i % 5 != 3) {
        assertThat(results.get(i).id()).as("id of m" + i).isEqualTo(drafts[i].id());
      }
    }
  }

  @Test
  void a_batch_with_a_conflict_stores_nothing() {
    TestChannel channel = channel();
    channel.append(message("first").key("taken"));
    MessageDraft before = message("before").key("before").collapse("c");
    MessageDraft conflict = message("other content").key("taken").strict();

    assertThatThrownBy(() -> channel.appendAll(before, conflict, message("after")))
        .isInstanceOf(ConflictingDuplicateException.class);

    assertThat(channel.drain()).containsExactly("first");
    assertThat(channel.append(before).accepted()).as("the key was not kept").isTrue();
  }

  @Test
  void a_batch_with_an_invalid_message_stores_nothing() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.REQUIRED));

    assertThatThrownBy(
            () -> channel.appendAll(message("a").group("g"), message("b"), message("c").group("g")))
        .isInstanceOf(InvalidMessageException.class);

    channel.assertIdle();
  }

  @Test
  void the_id_of_a_ready_message_is_a_duplicate() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    Instant accepted = channel.append(draft).acceptedAt();
    advance(seconds(5));

    AppendResult again = channel.append(message("other").id(draft.id()));

    assertThat(again).isEqualTo(new AppendResult(draft.id(), false, accepted));
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void the_id_of_a_scheduled_message_is_a_duplicate() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").delay(hours(1));
    channel.append(draft);

    assertThat(channel.append(message("other").id(draft.id())).accepted()).isFalse();
    channel.assertIdle();
  }

  @Test
  void the_id_of_a_leased_message_is_a_duplicate() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    channel.lease();

    assertThat(channel.append(draft).accepted()).isFalse();
    channel.assertIdle();
  }

  @Test
  void the_id_of_a_dead_message_is_a_duplicate() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    channel.settleNext(OutcomeSamples.dead());

    assertThat(channel.append(draft).accepted()).isFalse();
    channel.assertIdle();
    assertThat(channel.dead()).containsExactly("a");
  }

  @Test
  void an_id_that_a_batch_repeats_is_stored_once() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");

    assertThat(channel.appendAll(draft, message("other").id(draft.id())))
        .extracting(AppendResult::accepted)
        .containsExactly(true, false);
    assertThat(channel.drain()).containsExactly("a");
  }

  @Test
  void a_message_without_a_group_is_refused_where_order_is_required() {
    TestChannel channel = channel(channelDraft().ordering(Ordering.REQUIRED));

    assertThatThrownBy(() -> channel.append(message("a").key("k")))
        .isInstanceOf(InvalidMessageException.class);

    assertThat(channel.append(message("b").group("g").key("k")).accepted())
        .as("nothing was kept of the refused message")
        .isTrue();
  }

  /** For display and age, never for order; the order has its own test. */
  @Test
  void the_callers_received_at_is_kept() {
    Instant received = Instant.parse("2001-09-09T01:46:40Z");
    TestChannel channel = channel();
    channel.append(message("a").receivedAt(received));
    Instant accepted = channel.append(message("b")).acceptedAt();

    assertThat(channel.lease().messages())
        .allSatisfy(
            message ->
                assertThat(message.timing().receivedAt())
                    .isEqualTo(label(message).equals("a") ? received : accepted));
  }

  @Test
  void channels_do_not_see_each_others_messages() {
    TestChannel one = channel();
    TestChannel two = channel();
    one.append(message("a"));

    two.assertIdle();
    assertThat(one.drain()).containsExactly("a");
  }

  @Test
  void what_one_node_wrote_another_leases() {
    TestChannel channel = channel();
    channel.append(message("a"));

    assertThat(channel.onAnotherNode().drain()).containsExactly("a");
    channel.assertIdle();
  }

  @Test
  void a_transaction_of_an_unknown_kind_is_refused_and_nothing_is_stored() {
    TestChannel channel = channel();
    Transaction foreign =
        action -> {
          throw new AssertionError("this transaction must not be committed");
        };

    assertThatThrownBy(
            () -> store.append(channel.definition(), List.of(message("a").build()), foreign))
        .isInstanceOf(UnsupportedOperationException.class);

    channel.assertIdle();
  }

  @Test
  void the_id_of_a_message_that_is_gone_is_free_again() {
    TestChannel channel = channel();
    MessageDraft draft = message("a");
    channel.append(draft);
    channel.drain();

    assertThat(channel.append(draft).accepted()).isTrue();
    assertThat(channel.drain()).containsExactly("a");
  }
}
