package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.errors.TransientStoreException;
import dev.mailroom.inspection.MessageFilter;
import dev.mailroom.inspection.StateKey;
import dev.mailroom.inspection.StoredState;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.AppendResult;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Store;
import dev.mailroom.storetestkit.ForwardingStore;
import dev.mailroom.test.ManualEngine;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Accounts that are paid into by workers that die, over a store that fails before and after it has
 * done its work. However that goes, every payment counts once, is confirmed once, and a closing
 * timeout comes once. A failing seed is in the name of the test.
 */
class ProcessSimulationTest {
  private static final int SEEDS = 60;
  private static final int SEEDS_ON_H2 = 5;
  private static final int ACCOUNTS = 3;
  private static final int PAYMENTS = 60;
  private static final Duration LEASE = Duration.ofSeconds(30);

  @MessageContract(name = "test.payment")
  record Payment(String account, int amount) {}

  @MessageContract(name = "test.audit")
  record Audit(String account) {}

  @MessageContract(name = "test.account")
  record Account(int balance, int payments, int audits) {}

  private final ManualTime time = new ManualTime();

  /** Thrown in the middle of a pass: the worker is gone, and what it held runs out. */
  private static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final class Faulty extends ForwardingStore {
    private final Random random;
    private boolean calm;
    private boolean dead;
    private int faults;

    Faulty(Store store, Random random) {
      super(store);
      this.random = random;
    }

    @Override
    public List<AppendResult> commit(Commit commit) {
      failAtRandom(10);
      List<AppendResult> results = super.commit(commit);
      failAtRandom(10);
      return results;
    }

    @Override
    public @Nullable StoredState state(StateKey key) {
      failAtRandom(30);
      return super.state(key);
    }

    @Override
    public Set<UUID> settle(Channel channel, List<Settlement> settlements) {
      failAtRandom(10);
      return super.settle(channel, settlements);
    }

    @Override
    public Set<UUID> extend(Channel channel, Set<UUID> tokens, Duration duration) {
      failAtRandom(10);
      return super.extend(channel, tokens, duration);
    }

    private void failAtRandom(int oneIn) {
      if (dead) {
        throw new Death();
      }
      int fate = calm ? -1 : random.nextInt(2 * oneIn);
      if (fate == 0) {
        faults++;
        throw new TransientStoreException("simulated");
      } else if (fate == 1) {
        faults++;
        dead = true; // whatever its worker still tries
        throw new Death();
      }
    }
  }

  private Processes<Account> accounts() {
    return Processes.of("accounts", Account.class)
        .initial(key -> new Account(0, 0, 0))
        .options(
            options ->
                options
                    .lease(LEASE)
                    .crashes(1_000, Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
                    .retry(
                        RetryPolicy.builder()
                            .attempts(1_000)
                            .backoff(Backoff.fixed(Duration.ofSeconds(1)).withJitter(0))
                            .build()))
        .starts(
            Payment.class,
            Payment::account,
            (step, payment) -> {
              if (step.isNew()) {
                step.timeout("audit", Duration.ofMinutes(10), new Audit(step.key()));
              }
              step.send("confirmations", step.key() + " " + payment.amount());
              Account before = step.state();
              return new Account(
                  before.balance() + payment.amount(), before.payments() + 1, before.audits());
            })
        .on(
            Audit.class,
            Audit::account,
            (step, audit) ->
                new Account(
                    step.state().balance(), step.state().payments(), step.state().audits() + 1))
        .acceptWeakDurability()
        .build();
  }

  private Mailroom node(Faulty store, Processes<Account> accounts) {
    return Mailroom.builder()
        .store(store.withCapabilities())
        .time(time)
        .codec(new JacksonCodec())
        .contract(String.class, "test.text", 1)
        .inbox("confirmations", inbox -> {})
        .add(accounts)
        .build();
  }

  static Stream<Arguments> worlds() {
    return Stream.concat(
        IntStream.rangeClosed(1, SEEDS).mapToObj(seed -> Arguments.of(Stores.MEMORY, seed)),
        IntStream.rangeClosed(1, SEEDS_ON_H2).mapToObj(seed -> Arguments.of(Stores.H2, seed)));
  }

  @ParameterizedTest
  @MethodSource("worlds")
  @DisplayName("every step happens once, with all it sends and asks for")
  void happensOnce(Stores kind, int seed) {
    try (Stores.Place place = kind.open()) {
      happensOnce(place.store(time), new Random(seed));
    }
  }

  private void happensOnce(Store real, Random random) {
    Faulty store = new Faulty(real, random);
    Processes<Account> accounts = accounts();
    Mailroom mailroom = node(store, accounts);
    int[] balances = new int[ACCOUNTS];
    List<String> expected = new ArrayList<>();
    ManualEngine worker = new ManualEngine(mailroom, "accounts");
    int written = 0;
    while (written < PAYMENTS || open(mailroom) > 0) {
      if (written < PAYMENTS && random.nextBoolean()) {
        int account = random.nextInt(ACCOUNTS);
        balances[account] += written;
        expected.add("a" + account + " " + written);
        accounts.send(
            new Payment("a" + account, written),
            WriteOptions.builder().messageId(UUID.randomUUID()).build());
        written++;
      }
      store.calm = written == PAYMENTS && random.nextInt(4) == 0;
      try {
        pass(worker);
      } catch (Death | TransientStoreException failed) {
        // The engine outlives most of it; what comes through ends this pass.
      }
      if (store.dead) {
        store.dead = false;
        worker = new ManualEngine(mailroom, "accounts"); // the old one is never heard of again
      }
      time.advance(Duration.ofSeconds(random.nextInt(20)));
    }

    store.calm = true;
    assertThat(store.faults).as("what went wrong").isGreaterThan(5);
    for (int account = 0; account < ACCOUNTS; account++) {
      Account end = accounts.find("a" + account).orElseThrow().state();
      assertThat(end.balance()).isEqualTo(balances[account]);
      assertThat(end.audits()).isEqualTo(1);
    }
    assertThat(confirmations(mailroom)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void pass(ManualEngine worker) {
    worker.reclaim();
    worker.fetch();
    while (worker.handle()) {
      worker.settle();
    }
    worker.settle();
    worker.extendLeases();
  }

  private static long open(Mailroom mailroom) {
    var counts = mailroom.inbox("accounts").inspect().counts();
    return counts.ready() + counts.scheduled() + counts.leased();
  }

  private static List<String> confirmations(Mailroom mailroom) {
    return mailroom
        .inbox("confirmations")
        .inspect()
        .search(MessageFilter.all(), 1_000)
        .messages()
        .stream()
        .map(found -> OrderFlow.text(found.message().envelope().payload()))
        .toList();
  }
}
