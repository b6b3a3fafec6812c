package dev.mailroom.storetestkit.contract;

import static dev.mailroom.storetestkit.TestMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.spi.Commit;
import dev.mailroom.spi.Lease;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A wake-up for available work reaches every subscriber on every node. */
abstract class WakeUpContract extends StoreTestBase {

  WakeUpContract(Callable<StoreFixture> source) {
    super(source);
  }

  @Test
  void an_append_wakes_every_subscriber() throws Exception {
    try (WakeUpRecorder one = new WakeUpRecorder(store);
        WakeUpRecorder two = new WakeUpRecorder(store)) {
      TestChannel channel = channel();
      channel.append(message("a"));

      one.await(channel);
      two.await(channel);
    }
  }

  @Test
  void an_append_on_one_node_wakes_another() throws Exception {
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(fixture.another())) {
      TestChannel channel = channel();
      channel.append(message("a"));

      wakeUps.await(channel);
    }
  }

  @Test
  void the_appends_of_a_commit_send_a_wake_up() throws Exception {
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(store)) {
      TestChannel channel = channel();
      store.commit(
          new Commit(
              List.of(),
              List.of(new Commit.Appends(channel.definition(), List.of(message("a").build()))),
              List.of(),
              null));

      wakeUps.await(channel);
    }
  }

  @Test
  void a_redriven_message_sends_a_wake_up() throws Exception {
    TestChannel channel = channel();
    channel.append(message("a"));
    channel.settleNext(OutcomeSamples.dead());
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(store)) {
      channel.redrive(DeadLetterFilter.all());

      wakeUps.await(channel);
    }
  }

  @Test
  void a_completed_message_sends_a_wake_up_if_its_group_has_more() throws Exception {
    TestChannel channel = channel();
    channel.appendAll(message("a").group("g"), message("b").group("g"));
    Lease head = channel.lease(1);
    try (WakeUpRecorder wakeUps = new WakeUpRecorder(store)) {
      channel.settle(head, OutcomeSamples.completed());

      wakeUps.await(channel);
    }
  }

  @Test
  void a_closed_subscription_gets_no_wake_up() throws Exception {
    try (WakeUpRecorder open = new WakeUpRecorder(store)) {
      WakeUpRecorder closed = new WakeUpRecorder(store);
      closed.close();
      TestChannel channel = channel();
      channel.append(message("a"));
      open.await(channel);

      assertThat(closed.wasWokenFor(channel)).isFalse();
    }
  }
}
