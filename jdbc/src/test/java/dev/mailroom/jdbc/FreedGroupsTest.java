package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.channel;
import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.messages.LastError;
import dev.mailroom.messages.Target;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.Lease;
import dev.mailroom.spi.LeaseRequest;
import dev.mailroom.spi.Outcome;
import dev.mailroom.spi.Settlement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Somebody is about to let a group go on, and has not committed that yet, when a message comes to
 * the group and others claim.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class FreedGroupsTest {
  private static final Channel CHANNEL = channel("freed").parking().build();
  private static final LeaseRequest TEN =
      new LeaseRequest("worker", 10, 10, Duration.ofHours(1), null, true);

  private Database database;
  private JdbcStore others;

  /** Its commits can be preceded by something else. */
  private JdbcStore store;

  private Runnable beforeCommit = () -> {};
  private boolean came;

  private void open(Databases kind) {
    database = kind.create();
    others = JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
    DataSource watched = watched(DataSource.class, database.dataSource());
    store = JdbcStore.builder(watched).wakeUps(false).build();
  }

  @AfterEach
  void close() {
    store.close();
    others.close();
    database.close();
  }

  private <T> T watched(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(target, method, arguments)));
  }

  private Object call(Object target, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("commit")) {
      Runnable action = beforeCommit;
      beforeCommit = () -> {};
      action.run();
    }
    try {
      Object answer = method.invoke(target, arguments);
      return answer instanceof Connection connection
          ? watched(Connection.class, connection)
          : answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void append(JdbcStore store, String text) {
    store.append(CHANNEL, List.of(message(text).group("g").build()), null);
  }

  /** Somebody else writes to the group, and claims; nothing can be had yet. */
  private void nextComesAndIsClaimedInVain() {
    came = true;
    append(others, "next");
    assertThat(others.lease(CHANNEL, TEN).lease()).isNull();
  }

  private Lease lease() {
    Lease lease = store.lease(CHANNEL, TEN).lease();
    assertThat(lease).isNotNull();
    return lease;
  }

  private void settle(Lease lease, Outcome outcome) {
    UUID id = lease.messages().get(0).id();
    assertThat(store.settle(CHANNEL, List.of(new Settlement(id, lease.token(), outcome))))
        .isEmpty();
  }

  private void assertNextIsFound() {
    assertThat(came).isTrue();
    Lease lease = others.lease(CHANNEL, TEN).lease();
    assertThat(lease).isNotNull();
    assertThat(lease.messages()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2"})
  void by_discarding_the_dead_letter_that_parks_it(Databases kind) {
    open(kind);
    append(store, "dead");
    LastError error = LastError.of("test", "dead");
    settle(lease(), new Outcome.Dead(error));

    beforeCommit = this::nextComesAndIsClaimedInVain;
    assertThat(store.discard(CHANNEL, DeadLetterFilter.all(), 10)).isEqualTo(1);

    assertNextIsFound();
  }

  /** On the others the claim waits for whoever cancels. */
  @ParameterizedTest
  @EnumSource(names = "POSTGRESQL")
  void by_cancelling_a_head_that_waits(Databases kind) {
    open(kind);
    append(store, "head");
    Lease lease = lease();
    Duration day = Duration.ofDays(1);
    LastError error = LastError.of("test", "later");
    settle(lease, new Outcome.Retried(day, error, Outcome.Counts.ATTEMPT));

    beforeCommit = this::nextComesAndIsClaimedInVain;
    UUID id = lease.messages().get(0).id();
    assertThat(store.cancel(CHANNEL, Target.id(id))).isTrue();

    assertNextIsFound();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRESQL", "H2"})
  void by_completing_its_last_message(Databases kind) {
    open(kind);
    append(store, "last");
    Lease lease = lease();

    beforeCommit = this::nextComesAndIsClaimedInVain;
    settle(lease, Outcome.Completed.INSTANCE);

    assertNextIsFound();
  }
}
