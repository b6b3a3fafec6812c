package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.engine.FailingStore.Verb;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.CleanUp;
import dev.mailroom.spi.Purge;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CleanUpTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String[] ALL_BY_DEFAULT = {
    "notes DEAD_LETTERS 1000",
    "notes DEDUPLICATION 1000",
    "notes IDLE_GROUPS 1000",
    "notes HISTORY 1000"
  };

  private final EngineFixture fixture = EngineFixture.manual();

  private void writeWithKeys(int count) {
    for (int i = 0; i < count; i++) {
      String key = "k" + i;
      fixture.write("a", options -> options.deduplicationKey(key));
    }
    fixture.worker().run();
  }

  /** A worker whose tasks have all had their first run. */
  private ManualEngine runningWorker() {
    ManualEngine worker = fixture.worker();
    fixture.pass(CleanUp.defaults().restartDelay());
    worker.sweep();
    assertThat(fixture.failing.purges()).hasSizeGreaterThanOrEqualTo(Purge.values().length);
    return worker;
  }

  @Test
  void every_task_runs_soon_after_the_start_however_long_its_interval_is() {
    fixture.handler(delivery -> Result.success());
    ManualEngine worker = fixture.worker();

    fixture.pass(SECOND.multipliedBy(30).minusMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).isEmpty();
    fixture.pass(Duration.ofMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).containsExactly(ALL_BY_DEFAULT);
  }

  @Test
  void every_task_runs_every_five_minutes_by_default() {
    fixture.handler(delivery -> Result.success());
    ManualEngine worker = runningWorker();

    fixture.pass(MINUTE.multipliedBy(5).minusMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).isEmpty();
    fixture.pass(Duration.ofMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).containsExactly(ALL_BY_DEFAULT);
    fixture.pass(MINUTE);
    worker.sweep();
    assertThat(fixture.failing.purges()).isEmpty();
  }

  @Test
  void each_task_has_an_interval_and_a_batch_of_its_own() {
    fixture
        .options(options -> options.cleanUp(Purge.DEDUPLICATION, new CleanUp(MINUTE, 2, SECOND)))
        .handler(delivery -> Result.success());
    ManualEngine worker = runningWorker();

    fixture.pass(MINUTE);
    worker.sweep();

    assertThat(fixture.failing.purges()).containsExactly("notes DEDUPLICATION 2");
  }

  @Test
  void a_task_removes_everything_in_bounded_batches_and_leases_are_reclaimed_in_between() {
    fixture
        .options(
            options ->
                options
                    .deduplicationWindow(SECOND)
                    .cleanUp(Purge.DEDUPLICATION, new CleanUp(MINUTE, 2, SECOND)))
        .handler(delivery -> Result.success());
    ManualEngine worker = runningWorker();
    writeWithKeys(5);

    fixture.pass(MINUTE);
    assertThat(worker.sweep()).as("rest").isZero();
    assertThat(fixture.failing.purges()).containsExactly("notes DEDUPLICATION 2");
    int reclaims = fixture.failing.calls(Verb.RECLAIM);
    fixture.pass(MINUTE);
    assertThat(worker.sweep()).isZero();
    assertThat(fixture.failing.calls(Verb.RECLAIM)).isEqualTo(reclaims + 1);
    assertThat(worker.sweep()).isPositive();

    assertThat(fixture.failing.purges()).hasSize(2).containsOnly("notes DEDUPLICATION 2");
    assertThat(fixture.mailroom().cleanUp()).as("nothing is left").isZero();
  }

  @Test
  void a_task_that_failed_starts_again_after_its_delay_and_holds_up_no_other() {
    fixture
        .options(
            options ->
                options.cleanUp(
                    Purge.DEDUPLICATION, new CleanUp(MINUTE, 7, SECOND.multipliedBy(9))))
        .handler(delivery -> Result.success());
    ManualEngine worker = runningWorker();
    fixture.failing.fail(Verb.PURGE, 1);

    fixture.pass(MINUTE);
    worker.sweep();
    assertThat(fixture.failing.purges()).containsExactly("notes DEDUPLICATION 7");
    assertThat(fixture.telemetry.sum(Counter.LOOP_ERROR)).isEqualTo(1);
    fixture.pass(SECOND.multipliedBy(9).minusMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).isEmpty();
    fixture.pass(Duration.ofMillis(1));
    worker.sweep();
    assertThat(fixture.failing.purges()).containsExactly("notes DEDUPLICATION 7");
    fixture.pass(SECOND.multipliedBy(9));
    worker.sweep();
    assertThat(fixture.failing.purges()).as("its interval runs again").isEmpty();
  }

  @Test
  void clean_up_can_be_switched_off_and_expired_leases_are_still_reclaimed() {
    fixture.settings(builder -> builder.cleanUp(false)).handler(delivery -> Result.success());
    fixture.write("a");
    fixture.worker().fetch(); // and dies
    fixture.pass(MINUTE.multipliedBy(10));

    fixture.worker().sweep();

    assertThat(fixture.failing.purges()).isEmpty();
    assertThat(fixture.telemetry.sum(Counter.RECLAIMED)).isEqualTo(1);
  }

  @Test
  void clean_up_can_be_run_by_hand_for_all_or_some() {
    fixture
        .options(options -> options.deduplicationWindow(SECOND))
        .settings(builder -> builder.cleanUp(false).inbox("letters", inbox -> {}))
        .handler(delivery -> Result.success());
    writeWithKeys(5);
    fixture.pass(MINUTE);

    assertThat(fixture.mailroom().cleanUp("letters")).isZero();
    assertThat(fixture.failing.purges()).hasSize(4).allMatch(purge -> purge.startsWith("letters"));
    assertThat(fixture.mailroom().cleanUp()).isEqualTo(5);
    assertThat(fixture.failing.purges()).hasSize(8).contains(ALL_BY_DEFAULT);
  }

  @Test
  void clean_up_by_hand_takes_expired_leases_back() {
    fixture.handler(delivery -> Result.success());
    UUID id = fixture.write("a");
    fixture.worker().fetch(); // and dies
    fixture.pass(EngineFixture.LEASE);

    fixture.mailroom().cleanUp("notes");

    assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
  }

  @Test
  void history_is_kept_for_its_time_and_then_removed() {
    fixture.options(options -> options.history(MINUTE)).handler(delivery -> Result.success());
    UUID id = fixture.write("a");
    fixture.worker().run();
    assertThat(fixture.state(id)).isEqualTo(MessageState.COMPLETED);

    fixture.pass(MINUTE.minusMillis(1));
    assertThat(fixture.mailroom().cleanUp()).isZero();
    fixture.pass(SECOND);
    assertThat(fixture.mailroom().cleanUp()).isEqualTo(1);

    assertThat(fixture.isGone(id)).isTrue();
  }

  @Test
  void dead_letters_are_kept_for_ever_unless_they_have_a_lifetime() {
    fixture.handler(delivery -> Result.deadLetter("never"));
    fixture.write("a");
    fixture.worker().run();
    fixture.pass(Duration.ofDays(10_000));
    fixture.mailroom().cleanUp();
    assertThat(fixture.deadLetters()).hasSize(1);
    fixture.inbox().deadLetters().discard(DeadLetterFilter.all());

    fixture
        .options(options -> options.deadLetterLifetime(MINUTE))
        .handler(delivery -> Result.deadLetter("never"));
    fixture.write("b");
    fixture.worker().run();
    fixture.pass(MINUTE.plusMillis(1));
    fixture.mailroom().cleanUp();

    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  void a_process_can_do_nothing_but_clean_up() {
    CleanUp often = new CleanUp(Duration.ofMillis(1), 10, Duration.ofMillis(1));
    try (EngineFixture live = EngineFixture.live()) {
      live.options(
              options ->
                  options
                      .lease(Duration.ofMillis(100))
                      .deduplicationWindow(Duration.ofMillis(1))
                      .cleanUp(Purge.DEDUPLICATION, often))
          .handler(delivery -> Result.success());
      UUID id = live.write("a", options -> options.deduplicationKey("k"));
      live.worker().fetch(); // and dies

      live.mailroom().startCleanUp();
      Await.until("the lease is reclaimed", () -> live.progress(id).crashes() == 1);
      Await.until("it cleans up", () -> live.failing.purges().contains("notes DEDUPLICATION 10"));

      assertThat(live.mailroom().isRunning()).isTrue();
      assertThat(Await.engineThreads()).containsExactly("mailroom-notes-sweeper");
      assertThat(live.telemetry.sum(Counter.LEASED)).as("by the one that died").isEqualTo(1);
    }
    Await.noEngineThreads();
  }
}
