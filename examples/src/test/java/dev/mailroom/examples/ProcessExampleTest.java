package dev.mailroom.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.examples.ProcessExample.Order;
import dev.mailroom.examples.ProcessExample.OrderPaid;
import dev.mailroom.examples.ProcessExample.OrderPlaced;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.jdbc.JdbcStoreBuilder;
import dev.mailroom.processes.Processes;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessExampleTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final ManualTime time = new ManualTime();
  private final List<String> mail = new ArrayList<>();
  private final ProcessExample example = new ProcessExample(mail::add, DAY);

  private static JdbcStoreBuilder database(String url) {
    return JdbcStore.builder(url, null, null).migrateAtStart(true);
  }

  private static String newDatabase() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  @Test
  void one_order_is_paid_and_the_other_cancelled() throws Exception {
    Transcript transcript = new Transcript();
    try (JdbcStore store = database(newDatabase()).build()) {
      new ProcessExample(transcript, Duration.ofMillis(20)).run(store);
    }

    assertThat(transcript.lines())
        .contains("4711 is shipped", "the application restarts", "4712 is not paid yet")
        .contains("4712 is cancelled")
        .doesNotContain("4711 is cancelled");
  }

  @Test
  void it_runs_as_a_program() throws Exception {
    assertThat(Console.during(() -> ProcessExample.main(new String[0])))
        .contains("4712 is cancelled");
  }

  @Test
  void on_a_clock_that_is_moved_days_pass_at_once_and_every_step_survives_a_restart() {
    String database = newDatabase();
    restarted(database, orders -> orders.send(new OrderPlaced("1")));
    restarted(database, orders -> orders.send(new OrderPlaced("2")));
    assertThat(mail).isEmpty();

    time.advance(DAY);
    restarted(database, orders -> {});
    assertThat(mail).containsExactlyInAnyOrder("1 is not paid yet", "2 is not paid yet");

    restarted(database, orders -> orders.send(new OrderPaid("1")));
    time.advance(DAY.multipliedBy(2));
    restarted(database, orders -> assertThat(orders.find("1")).isEmpty());
    restarted(database, orders -> assertThat(orders.find("2")).isEmpty());
    assertThat(mail).hasSize(4).endsWith("1 is shipped", "2 is cancelled");
  }

  private interface Visit {
    void make(Processes<Order> orders);
  }

  /** The application starts, does what is due, and ends. */
  private void restarted(String url, Visit visit) {
    try (JdbcStore store = database(url).time(time).build()) {
      Processes<Order> orders = example.orders();
      try (Mailroom mailroom = example.mailroom(store, orders)) {
        visit.make(orders);
        mailroom.processPending();
        mailroom.processPending();
      }
    }
  }
}
