package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.label;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.inspection.InspectedMessage;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.MessagePage;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.messages.Limits;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.Trace;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Inspectable;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.MessageCursor;
import dev.mailroom.storetestkit.MessageDraft;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A search finds all matching messages, page by page, and no others. */
abstract class SearchContract extends StoreTestBase {
  private static final MessageFilter ALL = MessageFilter.all();

  SearchContract(Callable<StoreFixture> source) {
    super(source);
  }

  private MessagePage page(
      TestChannel channel, MessageFilter filter, @Nullable String after, int limit) {
    MessagePage page = ((Inspectable) store).search(channel.definition(), filter, after, limit);
    assertThat(page.messages()).hasSizeLessThanOrEqualTo(limit);
    return page;
  }

  /** Goes through all pages; what happens between two of them is the caller's. */
  private List<InspectedMessage> pages(
      TestChannel channel, MessageFilter filter, int limit, Consumer<Integer> between) {
    List<InspectedMessage> found = new ArrayList<>();
    String after = null;
    int pages = 0;
    do {
      MessagePage page = page(channel, filter, after, limit);
      found.addAll(page.messages());
      after = page.nextCursor();
      between.accept(++pages);
    } while (after != null);
    return found;
  }

  private List<String> search(TestChannel channel, MessageFilter filter) {
    return pages(channel, filter, 100, page -> {}).stream()
        .map(found -> label(found.message()))
        .toList();
  }

  private static Trace correlation(String id) {
    return new Trace(id, null, null, null);
  }

  /** Every state, and every way into it. */
  private TestChannel motley() {
    TestChannel channel = channel(channelDraft().history(hours(5)));
    channel.append(message("dead"));
    channel.settleNext(OutcomeSamples.dead());
    channel.append(message("retried"));
    channel.settleNext(OutcomeSamples.retried(hours(1)));
    channel.append(message("head").group("g"));
    channel.settleNext(OutcomeSamples.retried(hours(1)));
    channel.append(message("crashed"));
    channel.lease();
    channel.crash();
    channel.append(message("due").delay(millis(1)));
    channel.appendAll(message("leased"), message("leased in h").group("h"), message("completed"));
    Lease lease = channel.lease();
    channel.settle(lease, "completed", OutcomeSamples.completed());
    channel.appendAll(message("scheduled").delay(hours(1)), message("ready"));
    channel.appendAll(message("behind").group("g"), message("behind h").group("h"));
    advance(millis(1));
    channel().append(message("elsewhere"));
    return channel;
  }

  @Test
  void nothing_is_found_where_nothing_is() {
    assertThat(page(channel(), ALL, null, 10)).isEqualTo(new MessagePage(List.of(), null));
  }

  @Test
  void messages_are_found_by_their_state() {
    TestChannel channel = motley();
    String[] ready = {"due", "ready", "behind", "behind h"};
    String[] leased = {"leased", "leased in h"};

    assertThat(search(channel, ALL.in(MessageState.READY))).containsExactlyInAnyOrder(ready);
    assertThat(search(channel, ALL.in(MessageState.SCHEDULED)))
        .containsExactlyInAnyOrder("retried", "head", "crashed", "scheduled");
    assertThat(search(channel, ALL.in(MessageState.LEASED))).containsExactlyInAnyOrder(leased);
    assertThat(search(channel, ALL.in(MessageState.DEAD))).containsExactly("dead");
    assertThat(search(channel, ALL.in(MessageState.COMPLETED))).containsExactly("completed");
    assertThat(search(channel, ALL.in(MessageState.READY, MessageState.LEASED)))
        .contains(ready)
        .contains(leased)
        .hasSize(6);
    assertThat(search(channel, ALL.in(MessageState.SCHEDULED, MessageState.LEASED))).hasSize(6);
    assertThat(search(channel, ALL.in(MessageState.READY, MessageState.SCHEDULED))).hasSize(8);
    assertThat(search(channel, ALL.in(MessageState.DEAD, MessageState.COMPLETED))).hasSize(2);
    assertThat(search(channel, ALL)).hasSize(12);
  }

  @Test
  void a_found_message_shows_its_state() {
    TestChannel channel = channel();
    MessageDraft draft = message("a").group("g").header("h", "v").trace(correlation("c"));
    channel.append(draft);
    channel.lease();

    InspectedMessage found = page(channel, ALL, null, 10).messages().get(0);

    assertThat(found.state()).isEqualTo(MessageState.LEASED);
    assertThat(found.message().envelope()).isEqualTo(draft.build().envelope());
    assertThat(found).isEqualTo(find(channel, found.message().id()));
  }

  private @Nullable InspectedMessage find(TestChannel channel, UUID id) {
    return ((Inspectable) store).find(channel.definition(), Target.id(id));
  }

  @Test
  void messages_are_found_by_contract_correlation_and_keys() {
    TestChannel channel = channel();
    channel.appendAll(
        message("contract").contract("orders.placed", 3),
        message("correlation").trace(correlation("c-1")),
        message("group").group("g"),
        message("key").key("k"),
        message("collapse").collapse("x"),
        message("plain"));

    assertThat(search(channel, ALL.contract("orders.placed"))).containsExactly("contract");
    assertThat(search(channel, ALL.correlationId("c-1"))).containsExactly("correlation");
    assertThat(search(channel, ALL.groupKey("g"))).containsExactly("group");
    assertThat(search(channel, ALL.deduplicationKey("k"))).containsExactly("key");
    assertThat(search(channel, ALL.collapseKey("x"))).containsExactly("collapse");
    assertThat(search(channel, ALL.contract("orders.place"))).isEmpty();
    assertThat(search(channel, ALL.correlationId("C-1"))).isEmpty();
    assertThat(search(channel, ALL.groupKey("G"))).isEmpty();
    assertThat(search(channel, ALL.collapseKey("k"))).isEmpty();
  }

  @Test
  void keys_are_found_in_every_state_and_whether_or_not_groups_are_ordered() {
    for (Ordering ordering : List.of(Ordering.WHEN_KEYED, Ordering.NONE)) {
      TestChannel channel = channel(channelDraft().ordering(ordering).history(hours(1)));
      for (String label : List.of("dead", "completed", "retried")) {
        channel.append(message(label).group("g").key(label).collapse("x"));
        channel.settleNext(
            switch (label) {
              case "dead" -> OutcomeSamples.dead();
              case "completed" -> OutcomeSamples.completed();
              default -> OutcomeSamples.retried(hours(1));
            });
      }
      channel.append(message("later").group("g").collapse("y").delay(hours(1)));
      channel.append(message("ready").group("g").collapse("z"));

      assertThat(search(channel, ALL.groupKey("g")))
          .containsExactlyInAnyOrder("dead", "completed", "retried", "later", "ready");
      assertThat(search(channel, ALL.collapseKey("x")))
          .containsExactlyInAnyOrder("dead", "completed", "retried");
      assertThat(search(channel, ALL.collapseKey("y"))).containsExactly("later");
      assertThat(search(channel, ALL.deduplicationKey("dead"))).containsExactly("dead");
    }
  }

  @Test
  void a_tenants_messages_are_found_and_no_others() {
    TestChannel channel = channel();
    for (String tenant : List.of("one", "two")) {
      channel.appendAll(
          message(tenant + " plain").tenant(tenant),
          message(tenant + " group").tenant(tenant).group("g"),
          message(tenant + " collapse").tenant(tenant).collapse("x"),
          message(tenant + " later").tenant(tenant).collapse("y").delay(hours(1)));
    }
    channel.appendAll(message("no tenant").group("g"), message("no tenant either").collapse("x"));

    assertThat(search(channel, ALL.tenant("one")))
        .containsExactlyInAnyOrder("one plain", "one group", "one collapse", "one later");
    assertThat(search(channel, ALL.tenant("one").groupKey("g"))).containsExactly("one group");
    assertThat(search(channel, ALL.tenant("two").collapseKey("x"))).containsExactly("two collapse");
    assertThat(search(channel, ALL.tenant("two").collapseKey("y"))).containsExactly("two later");
    assertThat(search(channel, ALL.groupKey("g")))
        .containsExactlyInAnyOrder("one group", "two group", "no tenant");
    assertThat(search(channel, ALL.collapseKey("x")))
        .containsExactlyInAnyOrder("one collapse", "two collapse", "no tenant either");
    assertThat(search(channel, ALL.tenant("three"))).isEmpty();
  }

  @Test
  void messages_are_found_by_when_they_were_created_and_received() {
    TestChannel channel = channel();
    Instant start = now();
    for (String label : List.of("first", "second", "third")) {
      channel.append(message(label).receivedAt(start.minus(hours(label.length()))));
      advance(seconds(1));
    }
    Instant second = start.plusSeconds(1);

    assertThat(search(channel, ALL.created(second, null)))
        .containsExactlyInAnyOrder("second", "third");
    assertThat(search(channel, ALL.created(null, second))).containsExactly("first");
    assertThat(search(channel, ALL.created(second, second.plusNanos(1)))).containsExactly("second");
    assertThat(search(channel, ALL.created(second.plusNanos(1), second.plusSeconds(1)))).isEmpty();
    assertThat(search(channel, ALL.received(null, start.minus(hours(5)))))
        .containsExactly("second");
    assertThat(search(channel, ALL.received(start.minus(hours(5)), null)))
        .containsExactlyInAnyOrder("first", "third");
  }

  @Test
  void messages_are_found_by_a_part_of_their_last_error_in_any_case() {
    TestChannel channel = channel();
    channel.append(message("dead"));
    channel.settleNext(OutcomeSamples.dead("java.net.ConnectException", "Refused 100% of_it!"));
    channel.append(message("retried"));
    channel.settleNext(OutcomeSamples.retried(hours(1)));
    channel.append(message("never failed"));

    assertThat(search(channel, ALL.error("connectexception"))).containsExactly("dead");
    assertThat(search(channel, ALL.error("REFUSED 100"))).containsExactly("dead");
    assertThat(search(channel, ALL.error("100% of_it!"))).containsExactly("dead");
    assertThat(search(channel, ALL.error("It Failed"))).containsExactly("retried");
    assertThat(search(channel, ALL.error("refused%it"))).as("no wildcards").isEmpty();
    assertThat(search(channel, ALL.error("of_i_"))).as("no wildcards").isEmpty();
  }

  @Test
  void everything_that_a_filter_says_applies() {
    TestChannel channel = channel();
    for (String contract : List.of("a", "b")) {
      for (String group : List.of("g", "h")) {
        channel.appendAll(
            message(contract + group).contract(contract, 1).group(group),
            message(contract + group + " later")
                .contract(contract, 1)
                .group(group)
                .delay(hours(1)));
      }
    }
    MessageFilter both = ALL.contract("a").groupKey("h");

    assertThat(search(channel, both)).containsExactlyInAnyOrder("ah", "ah later");
    assertThat(search(channel, both.in(MessageState.SCHEDULED))).containsExactly("ah later");
    assertThat(search(channel, both.created(null, now()))).isEmpty();
  }

  @Test
  void pages_follow_each_other_by_id_and_hold_every_message_once() {
    TestChannel channel = motley();
    List<UUID> all = ids(pages(channel, ALL, 100, page -> {}));

    assertThat(all).hasSize(12).isSortedAccordingTo(Collections.reverseOrder(MessageCursor.ORDER));
    for (int limit : new int[] {1, 5, 6, 12}) {
      assertThat(ids(pages(channel, ALL, limit, page -> {}))).isEqualTo(all);
    }
    for (MessageState state : MessageState.values()) {
      assertThat(ids(pages(channel, ALL.in(state), 1, page -> {})))
          .isEqualTo(ids(pages(channel, ALL.in(state), 100, page -> {})));
    }
  }

  private static List<UUID> ids(List<InspectedMessage> found) {
    return found.stream().map(each -> each.message().id()).toList();
  }

  @Test
  void concurrent_writes_neither_repeat_nor_hide_a_message() {
    TestChannel channel = channel();
    IntStream.range(0, 20).forEach(i -> channel.append(message("there" + i)));
    List<UUID> there = ids(pages(channel, ALL, 100, page -> {}));

    List<UUID> found =
        ids(
            pages(
                channel,
                ALL,
                3,
                page -> {
                  if (page < 15) {
                    channel.appendAll(message("new"), message("new").delay(hours(1)));
                  }
                }));

    assertThat(found).doesNotHaveDuplicates().containsAll(there);
  }

  @Test
  void a_message_that_moves_meanwhile_does_not_come_twice() {
    TestChannel channel = channel(channelDraft().history(hours(1)));
    IntStream.range(0, 20).forEach(i -> channel.append(message("m" + i)));

    List<UUID> found =
        ids(
            pages(
                channel,
                ALL,
                3,
                page -> {
                  Lease lease = channel.claim(ClaimRequest.atMost(4)).lease();
                  if (lease != null) {
                    channel.settle(
                        lease, page % 2 == 0 ? OutcomeSamples.dead() : OutcomeSamples.completed());
                  }
                }));

    assertThat(found).doesNotHaveDuplicates().hasSize(20);
  }

  /** More than a store looks at in one step, if it has steps. */
  @Test
  void rare_messages_are_found_among_many_and_the_count_says_whether_it_is_complete() {
    TestChannel channel = channel();
    int many = Limits.APPEND_BATCH;
    UUID last = new UUID(0, 1);
    channel.append(message("rare").id(last).contract("rare", 1).trace(correlation("c")));
    channel.appendAll(
        IntStream.range(0, many).mapToObj(i -> message("m" + i)).toArray(MessageDraft[]::new));
    channel.appendAll(
        IntStream.range(0, 500).mapToObj(i -> message("n" + i)).toArray(MessageDraft[]::new));

    assertThat(search(channel, ALL.contract("rare"))).containsExactly("rare");
    assertThat(search(channel, ALL.correlationId("c"))).containsExactly("rare");
    assertThat(search(channel, ALL.in(MessageState.DEAD))).isEmpty();
    assertThat(ids(pages(channel, ALL, 4_000, page -> {})))
        .hasSize(many + 501)
        .doesNotHaveDuplicates()
        .endsWith(last);
    var counts = ((Inspectable) store).counts(channel.definition());
    if (counts.atLeast().contains(MessageState.READY)) {
      assertThat(counts.ready()).isBetween(many / 2L, many + 501L);
    } else {
      assertThat(counts.ready()).isEqualTo(many + 501);
    }
    assertThat(counts.oldestDue()).isEqualTo(seconds(0));
  }

  @Test
  void what_is_no_cursor_is_refused() {
    TestChannel channel = channel();
    String id = new UUID(0, 1).toString();
    String cut = MessageCursor.behind(new UUID(0, 1)).substring(1);

    for (String text : List.of("", " ", "12", "not a cursor", id, cut, cut + "!", cut + "xyz")) {
      assertThatThrownBy(() -> page(channel, ALL, text, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("'" + text + "' is not a cursor");
    }
  }

  @Test
  void a_page_holds_at_least_one_and_at_most_a_batch() {
    TestChannel channel = channel();

    for (int limit : new int[] {-1, 0, Limits.BATCH + 1}) {
      assertThatThrownBy(() -> page(channel, ALL, null, limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("page limit");
    }
  }
}
