package dev.mailroom.jdbc;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.databases.Database;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.Channel;
import dev.mailroom.spi.ChannelPolicy;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim looks for turns several times, and somebody writes to a group in between. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TurnDuringClaimTest {
  private static final Channel CHANNEL =
      new Channel("c", Ordering.REQUIRED, ChannelPolicy.defaults());
  private static final LeaseRequest ONE =
      new LeaseRequest("worker", 1, 1, Duration.ofMinutes(1), null, true);

  /** What happens before a claim looks for turns once more, and whether it did. */
  private static final class Between {
    private Runnable action = () -> {};
    private int looks;

    private void look() {
      if (++looks == 2) {
        action.run();
      }
    }
  }

  private static <T> T watched(Class<T> type, T target, Between between) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(target, method, arguments, between)));
  }

  private static Object call(Object target, Method method, Object[] arguments, Between between)
      throws Throwable {
    if (method.getName().equals("prepareStatement")
        && arguments[0].toString().startsWith("SELECT position, tenant, group_key")
        && arguments[0].toString().contains("suspect = 0")) {
      between.look();
    }
    try {
      Object answer = method.invoke(target, arguments);
      return answer instanceof Connection connection
          ? watched(Connection.class, connection, between)
          : answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void write(JdbcStore store, String text) {
    store.append(CHANNEL, List.of(message(text).group("g").build()), null);
  }

  private static int handle(JdbcStore store) {
    Lease lease = store.lease(CHANNEL, ONE).lease();
    if (lease == null) {
      return 0;
    }
    Settlement done =
        new Settlement(lease.messages().get(0).id(), lease.token(), new Outcome.Completed());
    assertThat(store.settle(CHANNEL, List.of(done))).isEmpty();
    return 1;
  }

  @ParameterizedTest
  @EnumSource(names = {"MARIADB", "H2"})
  void a_group_that_was_empty_before_is_not_forgotten(Databases kind) {
    Between between = new Between();
    try (Database database = kind.create();
        JdbcStore writer =
            JdbcStore.builder(database.dataSource()).wakeUps(false).migrateAtStart(true).build();
        JdbcStore store =
            JdbcStore.builder(watched(DataSource.class, database.dataSource(), between)).build()) {
      write(writer, "first");
      write(writer, "second");
      assertThat(handle(store) + handle(store)).isEqualTo(2); // one turn more than messages
      between.looks = 0;
      between.action = () -> write(writer, "between");

      int came = handle(store);

      assertThat(between.looks).as("looks for turns").isGreaterThan(1);
      between.action = () -> {};
      assertThat(came + handle(store)).isEqualTo(1);
    }
  }
}
