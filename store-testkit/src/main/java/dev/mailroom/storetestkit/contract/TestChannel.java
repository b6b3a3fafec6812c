package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.contract.ClaimRequest.LEASE;
import static dev.mailroom.storetestkit.contract.ClaimRequest.atMost;
import static dev.mailroom.storetestkit.contract.ClaimRequest.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.messages.Message;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.MessageDraft;
import dev.mailroom.storetestkit.TestMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One channel of one store, with the verbs that tests need most. */
final class TestChannel {
  private static final int MANY = 1_000;

  /** Enough for a store that asks for a pause of a second. */
  private static final int MOST_CLAIMS = 10_000;

  private final StoreFixture fixture;
  private final Store store;
  private final Channel channel;

  TestChannel(StoreFixture fixture, Store store, Channel channel) {
    this.fixture = fixture;
    this.store = store;
    this.channel = channel;
  }

  Channel definition() {
    return channel;
  }

  /** The same channel as another node has it. */
  TestChannel onAnotherNode() {
    return new TestChannel(fixture, fixture.another(), channel);
  }

  /** Appends one message. */
  AppendResult append(MessageDraft draft) {
    return appendAll(draft).get(0);
  }

  /** Appends messages in one batch. */
  List<AppendResult> appendAll(MessageDraft... drafts) {
    List<NewMessage> messages = Stream.of(drafts).map(MessageDraft::build).toList();
    List<AppendResult> results = store.append(channel, messages, null);
    assertThat(results).as("one result per message").hasSameSizeAs(messages);
    return results;
  }

  Claim claim() {
    return claim(request());
  }

  Claim claim(ClaimRequest request) {
    Claim claim = store.lease(channel, request.build());
    Lease lease = claim.lease();
    if (lease != null) {
      assertThat(lease.messages())
          .as("a lease holds at least one message and no more than asked for")
          .hasSizeBetween(1, request.limit());
      assertThat(lease.messages())
          .as("a lease holds no message twice")
          .extracting(Message::id)
          .doesNotHaveDuplicates();
    }
    return claim;
  }

  /** Leases everything there is. */
  Lease lease() {
    return lease(request());
  }

  Lease lease(int limit) {
    return lease(atMost(limit));
  }

  Lease lease(ClaimRequest request) {
    Lease lease = claim(request).lease();
    assertThat(lease).as("something to lease in " + channel.name()).isNotNull();
    return Objects.requireNonNull(lease);
  }

  /** Leases until there is nothing left, and keeps it all. */
  List<Lease> leaseAll() {
    List<Lease> leases = new ArrayList<>();
    for (Lease lease = claim().lease(); lease != null; lease = claim().lease()) {
      leases.add(lease);
    }
    return leases;
  }

  /** There is nothing to lease. */
  void assertIdle() {
    Lease lease = claim().lease();
    assertThat(lease == null ? List.of() : TestMessages.labels(lease.messages()))
        .as("messages that no claim should get")
        .isEmpty();
  }

  /**
   * There is nothing to lease until that long from now, or ever if it is null. A store that has not
   * scanned everything yet asks for another claim sooner.
   */
  void assertNextDue(@Nullable Duration expected) {
    Duration due = claim().nextDue();
    for (int claims = 0; claims < MOST_CLAIMS && isSooner(due, expected); claims++) {
      due = claim().nextDue();
    }
    assertThat(due).isEqualTo(expected);
  }

  private static boolean isSooner(@Nullable Duration due, @Nullable Duration expected) {
    return due != null && (expected == null || due.compareTo(expected) < 0);
  }

  /** The message of a lease with one message. */
  static Message only(Lease lease) {
    assertThat(lease.messages()).hasSize(1);
    return lease.messages().get(0);
  }

  /** The message with this label. */
  static Message find(Lease lease, String label) {
    return lease.messages().stream()
        .filter(message -> TestMessages.label(message).equals(label))
        .findFirst()
        .orElseThrow(() -> new AssertionError("'" + label + "' was not leased"));
  }

  static List<String> labels(Lease lease) {
    return TestMessages.labels(lease.messages());
  }

  /** Settles all messages of the lease alike. */
  Set<UUID> settle(Lease lease, Outcome outcome) {
    return store.settle(
        channel,
        lease.messages().stream()
            .map(message -> new Settlement(message.id(), lease.token(), outcome))
            .toList());
  }

  /** Settles the message with this label. */
  Set<UUID> settle(Lease lease, String label, Outcome outcome) {
    return store.settle(
        channel, List.of(new Settlement(find(lease, label).id(), lease.token(), outcome)));
  }

  /** Leases everything and settles it alike. */
  Lease settleNext(Outcome outcome) {
    Lease lease = lease();
    assertThat(settle(lease, outcome)).as("lost leases").isEmpty();
    return lease;
  }

  /** Leases and completes until nothing is left; the labels in the order of their leases. */
  List<String> drain() {
    return TestMessages.labels(drainMessages());
  }

  List<Message> drainMessages() {
    List<Message> drained = new ArrayList<>();
    for (Lease lease = claim().lease(); lease != null; lease = claim().lease()) {
      assertThat(settle(lease, OutcomeSamples.completed())).as("lost leases").isEmpty();
      drained.addAll(lease.messages());
    }
    return drained;
  }

  /** Lets all open leases expire and reclaims them. */
  int crash() {
    fixture.advance(LEASE.plusMillis(1));
    return reclaim();
  }

  int reclaim() {
    return store.reclaim(channel, MANY);
  }

  List<DeadLetter> deadLetters() {
    return store.deadLetters(channel, DeadLetterFilter.all(), null, MANY).letters();
  }

  List<String> dead() {
    return deadLetters().stream().map(letter -> TestMessages.label(letter.message())).toList();
  }

  int redrive(DeadLetterFilter filter) {
    return store.redrive(channel, filter, MANY);
  }

  int discard(DeadLetterFilter filter) {
    return store.discard(channel, filter, MANY);
  }
}
