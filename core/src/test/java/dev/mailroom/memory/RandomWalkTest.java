package dev.mailroom.memory;

import static dev.mailroom.memory.Letters.drain;
import static dev.mailroom.memory.Letters.letter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.messages.Due;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.options.AfterDeadLetter;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Claim;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Verbs in a random order, replayed by their seed. */
class RandomWalkTest {
  private static final LastError ERROR = LastError.of("failed", "on purpose");

  private final HandTime time = new HandTime();
  private final List<Settlement> held = new ArrayList<>();
  private final List<UUID> known = new ArrayList<>(List.of(new UUID(0, 0)));
  private MemoryStore store;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 6, 8, 13, 21})
  void whateverHappensNothingIsMisplacedAndNothingIsLeftBehind(long seed) {
    Random random = new Random(seed);
    store = MemoryStore.builder().time(time).random(new SplittableRandom(seed)).build();
    Channel channel = new Channel("walk", Ordering.WHEN_KEYED, policy(seed));
    for (int step = 0; step < 1_500; step++) {
      step(channel, random);
      Invariants.check(store.rows(channel));
    }
    cleanUp(channel);

    assertThat(store.rows()).isZero();
    MemoryChannel rows = store.rows(channel);
    assertThat(rows.byId).isEmpty();
    assertThat(rows.tenantQueues.size()).isZero();
    assertThat(rows.leases.size()).isZero();
  }

  private static ChannelPolicy policy(long seed) {
    return new ChannelPolicy(
        seed % 2 == 0 ? AfterDeadLetter.PARK : AfterDeadLetter.CONTINUE,
        new ChannelPolicy.Crashes(2, Backoff.fixed(Duration.ofSeconds(3))),
        Duration.ofSeconds(30),
        seed % 3 != 0,
        Duration.ofSeconds(60),
        seed % 4 < 2 ? null : Duration.ofSeconds(20));
  }

  private void step(Channel channel, Random random) {
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> store.append(channel, letters(random), null);
      case 3, 4, 5 -> lease(channel, random);
      case 6, 7, 8 -> store.settle(channel, someHeld(random));
      case 9 -> inTransaction(channel, random);
      case 10 -> commit(channel, random);
      case 11 -> store.release(channel, Set.of(anyToken(random)));
      case 12 -> store.reclaim(channel, 3);
      case 13 -> oneTarget(channel, random);
      case 14 -> deadLetter(channel, random);
      default -> time.advance(Duration.ofSeconds(random.nextInt(20)));
    }
  }

  private List<NewMessage> letters(Random random) {
    List<NewMessage> messages = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      UUID id = random.nextInt(20) == 0 ? any(random) : new UUID(random.nextLong(), i);
      Routing routing =
          new Routing(
              maybe(random, "tenant", 2),
              maybe(random, "group", 3),
              maybe(random, "key", 30),
              maybe(random, "collapse", 5));
      Due due = Due.after(Duration.ofSeconds(Math.max(0, random.nextInt(20) - 12)));
      Duration lifetime = random.nextInt(6) == 0 ? Duration.ofSeconds(15) : null;
      messages.add(letter(id, routing, new NewMessage.Schedule(due, lifetime, null)));
      known.add(id);
    }
    return messages;
  }

  private void lease(Channel channel, Random random) {
    LeaseRequest request =
        new LeaseRequest(
            "worker",
            1 + random.nextInt(6),
            1 + random.nextInt(3),
            Duration.ofSeconds(10),
            maybe(random, "tenant", 2),
            random.nextBoolean());
    Claim claim = store.lease(channel, request);
    if (claim.lease() != null) {
      assertThat(claim.lease().messages())
          .extracting(message -> message.progress().sequence())
          .isSorted();
      for (Message message : claim.lease().messages()) {
        held.add(new Settlement(message.id(), claim.lease().token(), outcome(random)));
      }
    }
  }

  private static Outcome outcome(Random random) {
    Duration delay = Duration.ofSeconds(random.nextInt(8));
    return switch (random.nextInt(8)) {
      case 0 -> new Outcome.Retried(delay, ERROR, Outcome.Counts.ATTEMPT);
      case 1 -> new Outcome.Retried(delay, ERROR, Outcome.Counts.DEFERRAL);
      case 2 -> new Outcome.Retried(delay, ERROR, Outcome.Counts.PARKING);
      case 3 -> Outcome.Released.INSTANCE;
      case 4 -> new Outcome.Dead(ERROR);
      case 5 -> Outcome.Discarded.INSTANCE;
      default -> Outcome.Completed.INSTANCE;
    };
  }

  private List<Settlement> someHeld(Random random) {
    List<Settlement> some = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0 && !held.isEmpty(); i--) {
      some.add(held.remove(random.nextInt(held.size())));
    }
    return some;
  }

  private void inTransaction(Channel channel, Random random) {
    try (OpenTransaction transaction = store.begin()) {
      store.append(channel, letters(random), transaction);
      store.append(channel, letters(random), transaction);
      Invariants.check(store.rows(channel));
      lease(channel, random);
      time.advance(Duration.ofSeconds(random.nextInt(5)));
      if (random.nextBoolean()) {
        transaction.commit();
      }
    }
  }

  private void commit(Channel channel, Random random) {
    List<Settlement> live = new ArrayList<>();
    for (Settlement each : someHeld(random)) {
      if (store.rows(channel).held(each.id(), each.token()) != null) {
        live.add(each);
      }
    }
    store.commit(
        new Commit(
            List.of(new Commit.Settlements(channel, live)),
            List.of(new Commit.Appends(channel, letters(random))),
            List.of(new Commit.Cancel(channel, target(random))),
            null));
  }

  private void oneTarget(Channel channel, Random random) {
    if (random.nextInt(3) == 0) {
      store.cancel(channel, target(random));
    } else {
      Due due = Due.after(Duration.ofSeconds(Math.max(0, random.nextInt(10) - 4)));
      store.reschedule(channel, target(random), due);
    }
  }

  private void deadLetter(Channel channel, Random random) {
    switch (random.nextInt(4)) {
      case 0 -> store.redrive(channel, DeadLetterFilter.all(), 2);
      case 1 -> store.discard(channel, DeadLetterFilter.all(), 2);
      case 2 -> store.purge(channel, Purge.DEAD_LETTERS, 2);
      default -> store.purge(channel, Purge.DEDUPLICATION, 2);
    }
  }

  private void cleanUp(Channel channel) {
    // again and again, because what is discarded can free a parked group for the next round
    while (!store.rows(channel).byId.isEmpty()) {
      time.advance(Duration.ofDays(1));
      store.reclaim(channel, 1_000);
      time.advance(Duration.ofDays(1));
      drain(store, channel);
      store.discard(channel, DeadLetterFilter.all(), 10_000);
    }
    time.advance(Duration.ofDays(1));
    store.purge(channel, Purge.HISTORY, 10_000);
    store.purge(channel, Purge.DEDUPLICATION, 10_000);
  }

  private Target target(Random random) {
    return random.nextBoolean()
        ? Target.id(any(random))
        : new Target.ByKey(maybe(random, "tenant", 2), "key" + random.nextInt(30));
  }

  private UUID any(Random random) {
    int recent = Math.min(known.size(), 40);
    return known.get(known.size() - 1 - random.nextInt(recent));
  }

  private UUID anyToken(Random random) {
    return held.isEmpty() ? new UUID(0, 0) : held.get(random.nextInt(held.size())).token();
  }

  private static String maybe(Random random, String name, int count) {
    int number = random.nextInt(count * 2);
    return number < count ? name + number : null;
  }
}
