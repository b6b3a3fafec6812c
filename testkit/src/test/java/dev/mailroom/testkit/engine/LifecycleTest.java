package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.ChannelHealth;
import dev.mailroom.LifecycleHook;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleTest {
  private final Desk desk = Desk.live();
  private final List<String> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    desk.close();
    Await.noEngineThreads();
  }

  private void noting() {
    desk.handler(
        delivery -> {
          events.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  void a_mailroom_starts_stops_and_restarts() {
    noting();
    Mailroom mailroom = desk.mailroom();
    assertThat(mailroom.isRunning()).isFalse();
    desk.write("before");
    mailroom.start();
    assertThat(mailroom.isRunning()).isTrue();
    Await.until("it is handled", () -> events.contains("before"));

    mailroom.stop();
    assertThat(mailroom.isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
    desk.write("while stopped");
    mailroom.restart();
    assertThat(mailroom.isRunning()).isTrue();
    Await.until("it is handled", () -> events.contains("while stopped"));
    mailroom.restart();
    desk.write("after the restart");
    Await.until("it is handled", () -> events.contains("after the restart"));
    mailroom.close();

    assertThat(mailroom.isRunning()).isFalse();
    assertThat(events).containsExactly("before", "while stopped", "after the restart");
  }

  @Test
  void starting_twice_and_stopping_twice_is_nothing() {
    noting();
    desk.mailroom().stop();
    desk.start();
    List<String> threads = Await.engineThreads();

    desk.start();

    assertThat(Await.engineThreads()).hasSameSizeAs(threads);
    desk.mailroom().stop();
    desk.mailroom().stop();
  }

  @Test
  void inboxes_are_looked_up_by_name() {
    desk.settings(builder -> builder.inbox("letters", inbox -> {})).writeOnly();

    assertThat(desk.mailroom().inbox("notes").name()).isEqualTo("notes");
    assertThat(desk.mailroom().inbox("letters").name()).isEqualTo("letters");
    assertThat(desk.mailroom().inbox("notes")).isSameAs(desk.mailroom().inbox("notes"));
  }

  @Test
  void a_write_only_inbox_has_no_threads() {
    desk.writeOnly().start();
    desk.write("a");

    assertThat(desk.mailroom().isRunning()).isTrue();
    assertThat(Await.engineThreads()).isEmpty();
    assertThat(desk.counts().ready()).isEqualTo(1);
  }

  private LifecycleHook hook(String name) {
    return new LifecycleHook() {
      @Override
      public void beforeStart() {
        events.add(name + " before start, threads: " + Await.engineThreads().size());
      }

      @Override
      public void afterStop() {
        events.add(name + " after stop, threads: " + Await.engineThreads().size());
      }
    };
  }

  private static LifecycleHook failing(RuntimeException before, RuntimeException after) {
    return new LifecycleHook() {
      @Override
      public void beforeStart() {
        if (before != null) {
          throw before;
        }
      }

      @Override
      public void afterStop() {
        if (after != null) {
          throw after;
        }
      }
    };
  }

  @Test
  void hooks_are_called_before_the_start_and_in_reverse_order_after_the_stop() {
    desk.settings(builder -> builder.hook(hook("first")).hook(hook("second")));
    noting();

    desk.start();
    desk.write("handled");
    Await.until("it is handled", () -> events.contains("handled"));
    desk.mailroom().stop();
    desk.mailroom().stop();

    assertThat(events)
        .containsExactly(
            "first before start, threads: 0",
            "second before start, threads: 0",
            "handled",
            "second after stop, threads: 0",
            "first after stop, threads: 0");
  }

  @Test
  void a_hook_that_throws_before_the_start_keeps_the_engine_from_starting() {
    desk.settings(builder -> builder.hook(failing(new IllegalStateException("not now"), null)));
    noting();

    assertThatIllegalStateException().isThrownBy(desk::start).withMessage("not now");

    assertThat(desk.mailroom().isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
  }

  @Test
  void a_hook_hears_of_the_stop_if_a_later_one_refuses_the_start() {
    desk.settings(
        builder ->
            builder.hook(hook("first")).hook(failing(new IllegalStateException("not now"), null)));
    noting();

    assertThatIllegalStateException().isThrownBy(() -> desk.mailroom().start());

    assertThat(events).hasSize(2).allMatch(event -> event.contains("first"));
  }

  @Test
  void what_was_started_for_clean_up_alone_is_not_quietly_taken_for_everything() {
    noting();
    desk.mailroom().startCleanUp();
    desk.mailroom().startCleanUp();

    assertThatIllegalStateException()
        .isThrownBy(() -> desk.mailroom().start())
        .withMessageContaining("stop() it first");
    desk.mailroom().stop();
    desk.mailroom().start();
    assertThatIllegalStateException().isThrownBy(() -> desk.mailroom().startCleanUp());
  }

  @Test
  void a_hook_that_throws_after_the_stop_does_not_keep_the_others_from_being_called() {
    desk.settings(
        builder ->
            builder.hook(hook("first")).hook(failing(null, new IllegalStateException("not now"))));
    noting();

    desk.start();
    desk.mailroom().stop();

    assertThat(desk.mailroom().isRunning()).isFalse();
    assertThat(events).last().isEqualTo("first after stop, threads: 0");
  }

  @Test
  void a_start_that_fails_leaves_nothing_behind() {
    Unsubscribable store = new Unsubscribable(desk.store());
    desk.settings(builder -> builder.store(store));
    noting();

    assertThatIllegalStateException().isThrownBy(desk::start).withMessage("no line");
    desk.mailroom().stop();
    assertThat(Await.engineThreads()).isEmpty();
    store.failing = false;
    desk.start();
    desk.write("a");

    Await.until("it is handled", () -> events.contains("a"));
  }

  /** A store whose wake-ups cannot be had for a while. */
  private static final class Unsubscribable extends ForwardingStore implements WakeUps {
    private volatile boolean failing = true;

    private Unsubscribable(Store delegate) {
      super(delegate);
    }

    @Override
    public Subscription subscribe(Consumer<String> listener) {
      if (failing) {
        throw new IllegalStateException("no line");
      }
      return ((WakeUps) delegate()).subscribe(listener);
    }
  }

  @Test
  void pending_messages_can_be_processed_without_any_thread() {
    CountDownLatch other = new CountDownLatch(1);
    desk.settings(
        builder ->
            builder.inbox(
                "letters",
                inbox ->
                    inbox.handler(
                        String.class,
                        delivery -> {
                          other.countDown();
                          return Result.success();
                        })));
    noting();
    desk.writeAll("a", "b");
    desk.mailroom().inbox("letters").write("c");

    assertThat(desk.mailroom().processPending("notes")).isEqualTo(2);
    assertThat(other.getCount()).isEqualTo(1);
    assertThat(desk.mailroom().processPending()).isEqualTo(1);
    assertThat(desk.mailroom().processPending()).isZero();

    assertThat(events).containsExactlyInAnyOrder("a", "b");
    assertThat(desk.mailroom().isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
  }

  @Test
  void processing_pending_messages_takes_expired_leases_back_first() {
    Desk manual = Desk.manual();
    List<String> handled = new ArrayList<>();
    manual
        .settings(builder -> builder.inbox("written to only", inbox -> {}))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    manual.write("a");
    manual.worker().fetch(); // and dies
    manual.pass(Desk.LEASE);

    assertThat(manual.mailroom().processPending()).as("it waits for its back-off").isZero();
    manual.pass(Desk.LEASE);
    assertThat(manual.mailroom().processPending()).isEqualTo(1);

    assertThat(handled).containsExactly("a");
  }

  @Test
  void health_tells_what_runs_is_paused_and_waits() {
    noting();
    ChannelHealth stopped = desk.mailroom().health().get(0);
    assertThat(stopped.channel()).isEqualTo(Desk.INBOX);
    assertThat(stopped.running()).isFalse();
    assertThat(stopped.lastSuccess()).isNull();
    assertThat(stopped.oldestDue()).isNull();
    desk.mailroom().pause(Desk.INBOX);
    desk.write("a");
    assertThat(desk.mailroom().health().get(0).paused()).isTrue();
    assertThat(desk.mailroom().health().get(0).oldestDue()).isNotNull();
    desk.mailroom().resume(Desk.INBOX);

    desk.start();
    Await.until("a claim has succeeded", () -> health().lastSuccess() != null);

    assertThat(health().running()).isTrue();
    assertThat(health().paused()).isFalse();
    assertThat(health().consecutiveFailures()).isZero();
  }

  private ChannelHealth health() {
    return desk.mailroom().health().get(0);
  }

  @Test
  void an_inbox_can_have_a_store_of_its_own() {
    MemoryStore own = MemoryStore.create();
    desk.inbox(inbox -> inbox.store(own));

    desk.write("a");

    assertThat(own.counts(Desk.CHANNEL).ready()).isEqualTo(1);
    assertThat(desk.counts().ready()).isZero();
  }
}
