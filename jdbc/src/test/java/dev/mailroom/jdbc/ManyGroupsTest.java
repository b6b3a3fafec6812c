package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.databases.Durability;
import dev.mailroom.databases.PostgresServer;
import dev.mailroom.databases.PostgresVersion;
import dev.mailroom.messages.Message;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.NewMessage;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import dev.mailroom.spi.Transactional.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Groups that are written to and claimed at the same time: none is forgotten. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManyGroupsTest {
  private static final Channel CHANNEL =
      new Channel("groups", Ordering.REQUIRED, ChannelPolicy.defaults());
  private static final int GROUPS = 300;
  private static final int BATCH = 200;
  private static final int BATCHES = 50;
  private static final int LATE = 200;
  private static final int TOTAL = BATCH * BATCHES + LATE;

  private final Database database =
      PostgresServer.shared(PostgresVersion.V18, Durability.RELAXED).createDatabase();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<UUID> handled = ConcurrentHashMap.newKeySet();
  private final Map<String, UUID> holders = new ConcurrentHashMap<>();

  @AfterEach
  void close() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    database.close();
  }

  @Test
  @Timeout(60)
  void everything_is_handled_and_no_group_by_two_at_once() throws Exception {
    try (JdbcStore one = open();
        JdbcStore other = open()) {
      List<Future<?>> all = new ArrayList<>();
      all.add(threads.submit(write(one)));
      all.add(threads.submit(writeLate(other)));
      all.add(threads.submit(drain(one, 250)));
      all.add(threads.submit(drain(other, 70)));

      for (Future<?> each : all) {
        each.get();
      }

      assertThat(handled).hasSize(TOTAL);
    }
  }

  @Test
  void groups_that_a_claim_has_no_room_for_come_with_the_next() {
    LeaseRequest two = new LeaseRequest("w", 2, 5, Duration.ofMinutes(5), null, true);
    try (JdbcStore store = open()) {
      for (String group : List.of("empty soon", "a", "b", "b", "c", "d")) {
        store.append(CHANNEL, List.of(message(group).group(group).build()), null);
      }
      List<String> came = new ArrayList<>();

      for (int claim = 0; claim < 3; claim++) {
        Lease lease = Objects.requireNonNull(store.lease(CHANNEL, two).lease());
        lease.messages().forEach(each -> came.add(each.routing().groupKey()));
        assertThat(store.settle(CHANNEL, completed(lease))).isEmpty();
      }

      assertThat(came).containsExactlyInAnyOrder("empty soon", "a", "b", "b", "c", "d");
    }
  }

  private JdbcStore open() {
    return JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
  }

  private static Callable<Boolean> write(JdbcStore store) {
    return () -> {
      for (int batch = 0; batch < BATCHES; batch++) {
        List<NewMessage> messages = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
          messages.add(inGroup(batch * BATCH + i));
        }
        store.append(CHANNEL, messages, null);
      }
      return true;
    };
  }

  /** Takes its numbers before others that it commits after. */
  private static Callable<Boolean> writeLate(JdbcStore store) {
    return () -> {
      for (int i = 0; i < LATE; i++) {
        try (OpenTransaction transaction = store.begin()) {
          store.append(CHANNEL, List.of(inGroup(7 * i)), transaction);
          transaction.commit();
        }
      }
      return true;
    };
  }

  private static NewMessage inGroup(int number) {
    return message("m" + number).group("g" + number % GROUPS).build();
  }

  private Callable<Boolean> drain(JdbcStore store, int limit) {
    return () -> {
      LeaseRequest request = new LeaseRequest("w", limit, 5, Duration.ofMinutes(5), null, true);
      while (handled.size() < TOTAL) {
        Lease lease = store.lease(CHANNEL, request).lease();
        if (lease != null) {
          handle(lease);
          assertThat(store.settle(CHANNEL, completed(lease))).isEmpty();
        }
      }
      return true;
    };
  }

  private void handle(Lease lease) {
    Map<String, Long> last = new HashMap<>();
    for (Message message : lease.messages()) {
      String group = message.routing().groupKey();
      UUID holder = holders.put(group, lease.token());
      assertThat(holder == null || holder.equals(lease.token())).isTrue();
      Long before = last.put(group, message.progress().sequence());
      assertThat(before == null || before < message.progress().sequence()).isTrue();
    }
    for (Message message : lease.messages()) {
      holders.remove(message.routing().groupKey());
      assertThat(handled.add(message.id())).isTrue();
    }
  }

  private static List<Settlement> completed(Lease lease) {
    return lease.messages().stream()
        .map(each -> new Settlement(each.id(), lease.token(), new Outcome.Completed()))
        .toList();
  }
}
