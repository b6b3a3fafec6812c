package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A store that tells when there is work tells everybody who listens, on every node. */
abstract class WakeUpContract extends Topic {

  WakeUpContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void an_append_wakes_every_subscriber() throws Exception {
    try (Heard one = new Heard(store);
        Heard two = new Heard(store)) {
      Line line = line();
      line.append(message("a"));

      one.await(line);
      two.await(line);
    }
  }

  @Test
  void an_append_on_one_node_wakes_another() throws Exception {
    try (Heard heard = new Heard(fixture.another())) {
      Line line = line();
      line.append(message("a"));

      heard.await(line);
    }
  }

  @Test
  void the_appends_of_a_commit_wake_too() throws Exception {
    try (Heard heard = new Heard(store)) {
      Line line = line();
      store.commit(
          new Commit(
              List.of(),
              List.of(new Commit.Appends(line.channel(), List.of(message("a").build()))),
              List.of(),
              null));

      heard.await(line);
    }
  }

  @Test
  void a_redriven_message_wakes_too() throws Exception {
    Line line = line();
    line.append(message("a"));
    line.settleNext(Verdict.dead());
    try (Heard heard = new Heard(store)) {
      line.redrive(DeadLetterFilter.all());

      heard.await(line);
    }
  }

  @Test
  void a_completed_message_wakes_if_its_group_goes_on() throws Exception {
    Line line = line();
    line.appendAll(message("a").group("g"), message("b").group("g"));
    Lease head = line.lease(1);
    try (Heard heard = new Heard(store)) {
      line.settle(head, Verdict.completed());

      heard.await(line);
    }
  }

  @Test
  void a_closed_subscription_hears_nothing_more() throws Exception {
    try (Heard open = new Heard(store)) {
      Heard closed = new Heard(store);
      closed.close();
      Line line = line();
      line.append(message("a"));
      open.await(line);

      assertThat(closed.heard(line)).isFalse();
    }
  }
}
