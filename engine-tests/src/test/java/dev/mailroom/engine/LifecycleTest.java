package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mailroom.ChannelHealth;
import dev.mailroom.LifecycleHook;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.spi.Store;
import dev.mailroom.spi.WakeUps;
import dev.mailroom.storetestkit.ForwardingStore;
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
  private final EngineFixture fixture = EngineFixture.live();
  private final List<String> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void no_thread_is_left() {
    fixture.close();
    Await.noEngineThreads();
  }

  private void noting() {
    fixture.handler(
        delivery -> {
          events.add(delivery.payload());
          return Result.success();
        });
  }

  @Test
  void a_mailroom_starts_stops_and_restarts() {
    noting();
    Mailroom mailroom = fixture.mailroom();
    assertThat(mailroom.isRunning()).isFalse();
    fixture.write("before");
    mailroom.start();
    assertThat(mailroom.isRunning()).isTrue();
    Await.until("it is handled", () -> events.contains("before"));

    mailroom.stop();
    assertThat(mailroom.isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
    fixture.write("while stopped");
    mailroom.restart();
    assertThat(mailroom.isRunning()).isTrue();
    Await.until("it is handled", () -> events.contains("while stopped"));
    mailroom.restart();
    fixture.write("after the restart");
    Await.until("it is handled", () -> events.contains("after the restart"));
    mailroom.close();

    assertThat(mailroom.isRunning()).isFalse();
    assertThat(events).containsExactly("before", "while stopped", "after the restart");
  }

  @Test
  void starting_twice_and_stopping_twice_is_nothing() {
    noting();
    fixture.mailroom().stop();
    fixture.start();
    List<String> threads = Await.engineThreads();

    fixture.start();

    assertThat(Await.engineThreads()).hasSameSizeAs(threads);
    fixture.mailroom().stop();
    fixture.mailroom().stop();
  }

  @Test
  void inboxes_are_looked_up_by_name() {
    fixture.settings(builder -> builder.inbox("letters", inbox -> {})).writeOnly();

    assertThat(fixture.mailroom().inbox("notes").name()).isEqualTo("notes");
    assertThat(fixture.mailroom().inbox("letters").name()).isEqualTo("letters");
    assertThat(fixture.mailroom().inbox("notes")).isSameAs(fixture.mailroom().inbox("notes"));
  }

  @Test
  void a_write_only_inbox_has_no_threads() {
    fixture.writeOnly().start();
    fixture.write("a");

    assertThat(fixture.mailroom().isRunning()).isTrue();
    assertThat(Await.engineThreads()).isEmpty();
    assertThat(fixture.counts().ready()).isEqualTo(1);
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
    fixture.settings(builder -> builder.hook(hook("first")).hook(hook("second")));
    noting();

    fixture.start();
    fixture.write("handled");
    Await.until("it is handled", () -> events.contains("handled"));
    fixture.mailroom().stop();
    fixture.mailroom().stop();

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
    fixture.settings(builder -> builder.hook(failing(new IllegalStateException("not now"), null)));
    noting();

    assertThatIllegalStateException().isThrownBy(fixture::start).withMessage("not now");

    assertThat(fixture.mailroom().isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
  }

  @Test
  void a_hook_hears_of_the_stop_if_a_later_one_refuses_the_start() {
    fixture.settings(
        builder ->
            builder.hook(hook("first")).hook(failing(new IllegalStateException("not now"), null)));
    noting();

    assertThatIllegalStateException().isThrownBy(() -> fixture.mailroom().start());

    assertThat(events).hasSize(2).allMatch(event -> event.contains("first"));
  }

  @Test
  void what_was_started_for_clean_up_alone_is_not_quietly_taken_for_everything() {
    noting();
    fixture.mailroom().startCleanUp();
    fixture.mailroom().startCleanUp();

    assertThatIllegalStateException()
        .isThrownBy(() -> fixture.mailroom().start())
        .withMessageContaining("stop() it first");
    fixture.mailroom().stop();
    fixture.mailroom().start();
    assertThatIllegalStateException().isThrownBy(() -> fixture.mailroom().startCleanUp());
  }

  @Test
  void a_hook_that_throws_after_the_stop_does_not_keep_the_others_from_being_called() {
    fixture.settings(
        builder ->
            builder.hook(hook("first")).hook(failing(null, new IllegalStateException("not now"))));
    noting();

    fixture.start();
    fixture.mailroom().stop();

    assertThat(fixture.mailroom().isRunning()).isFalse();
    assertThat(events).last().isEqualTo("first after stop, threads: 0");
  }

  @Test
  void a_start_that_fails_leaves_nothing_behind() {
    Unsubscribable store = new Unsubscribable(fixture.store());
    fixture.settings(builder -> builder.store(store));
    noting();

    assertThatIllegalStateException().isThrownBy(fixture::start).withMessage("no line");
    fixture.mailroom().stop();
    assertThat(Await.engineThreads()).isEmpty();
    store.failing = false;
    fixture.start();
    fixture.write("a");

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
    fixture.settings(
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
    fixture.writeAll("a", "b");
    fixture.mailroom().inbox("letters").write("c");

    assertThat(fixture.mailroom().processPending("notes")).isEqualTo(2);
    assertThat(other.getCount()).isEqualTo(1);
    assertThat(fixture.mailroom().processPending()).isEqualTo(1);
    assertThat(fixture.mailroom().processPending()).isZero();

    assertThat(events).containsExactlyInAnyOrder("a", "b");
    assertThat(fixture.mailroom().isRunning()).isFalse();
    assertThat(Await.engineThreads()).isEmpty();
  }

  @Test
  void processing_pending_messages_takes_expired_leases_back_first() {
    EngineFixture manual = EngineFixture.manual();
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
    manual.pass(EngineFixture.LEASE);

    assertThat(manual.mailroom().processPending()).as("it waits for its back-off").isZero();
    manual.pass(EngineFixture.LEASE);
    assertThat(manual.mailroom().processPending()).isEqualTo(1);

    assertThat(handled).containsExactly("a");
  }

  @Test
  void health_tells_what_runs_is_paused_and_waits() {
    noting();
    ChannelHealth stopped = fixture.mailroom().health().get(0);
    assertThat(stopped.channel()).isEqualTo(EngineFixture.INBOX);
    assertThat(stopped.running()).isFalse();
    assertThat(stopped.lastSuccess()).isNull();
    assertThat(stopped.oldestDue()).isNull();
    fixture.mailroom().pause(EngineFixture.INBOX);
    fixture.write("a");
    assertThat(fixture.mailroom().health().get(0).paused()).isTrue();
    assertThat(fixture.mailroom().health().get(0).oldestDue()).isNotNull();
    fixture.mailroom().resume(EngineFixture.INBOX);

    fixture.start();
    Await.until("a claim has succeeded", () -> health().lastSuccess() != null);

    assertThat(health().running()).isTrue();
    assertThat(health().paused()).isFalse();
    assertThat(health().consecutiveFailures()).isZero();
  }

  private ChannelHealth health() {
    return fixture.mailroom().health().get(0);
  }

  @Test
  void an_inbox_can_have_a_store_of_its_own() {
    MemoryStore own = MemoryStore.create();
    fixture.inbox(inbox -> inbox.store(own));

    fixture.write("a");

    assertThat(own.counts(EngineFixture.CHANNEL).ready()).isEqualTo(1);
    assertThat(fixture.counts().ready()).isZero();
  }
}
