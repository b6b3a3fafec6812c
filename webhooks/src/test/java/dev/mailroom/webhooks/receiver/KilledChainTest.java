package dev.mailroom.webhooks.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.databases.ChildJvm;
import dev.mailroom.jdbc.JdbcStore;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.webhooks.WebhookDelivery;
import dev.mailroom.webhooks.Webhooks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three handlers, of which the second fails twice. A process receives the event and is killed, as
 * by {@code kill -9}, in between; another process goes on.
 */
class KilledChainTest {
  private static final int MEGABYTES = 64;
  private static final RetryPolicy SOON =
      RetryPolicy.builder().backoff(Backoff.fixed(Duration.ofSeconds(1))).build();

  /** Where in the second handler's life the process is killed. */
  enum Moment {
    /** While it runs for the second time: that run is a crash, and counts as none. */
    WITHIN,
    /** When its first failure is stored, and the message waits for the next attempt. */
    BETWEEN
  }

  @ParameterizedTest(name = "the chain goes on where it was, killed {1} its runs on {0}")
  @CsvSource({"SQLITE, BETWEEN", "SQLITE, WITHIN", "POSTGRESQL, BETWEEN", "POSTGRESQL, WITHIN"})
  void chainGoesOn(StoreKind base, Moment moment, @TempDir Path directory) throws Exception {
    Path journal = directory.resolve("journal");
    try (StoreKind.Opened opened = base.open()) {
      try (ChildJvm child =
          ChildJvm.start(
              RequestReceiver.class, MEGABYTES, opened.url(), journal.toString(), moment.name())) {
        child.awaitReady();
        child.kill();
      }
      goOn(opened, journal, moment);
    }

    // A call that the kill interrupted is logged, but did not count as an attempt.
    assertThat(Files.readAllLines(journal))
        .isEqualTo(
            moment == Moment.BETWEEN
                ? List.of("first #1", "second #1", "second #2", "second #3", "third #1")
                : List.of(
                    "first #1", "second #1", "second #2", "second #2", "second #3", "third #1"));
  }

  private static void goOn(StoreKind.Opened opened, Path journal, Moment moment)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Webhooks webhooks = webhooks(journal, moment, () -> {}, done::countDown);
    try (Mailroom mailroom = Mailroom.builder().store(opened.store()).add(webhooks).build()) {
      mailroom.start();
      assertThat(done.await(1, TimeUnit.MINUTES)).as("the third handler has run").isTrue();
      mailroom.stop();
      assertThat(mailroom.inbox("webhooks").inspect().counts().dead()).isZero();
      assertThat(mailroom.processPending()).as("nothing is left").isZero();
    }
  }

  private static Webhooks webhooks(Path journal, Moment moment, Runnable fatal, Runnable done) {
    Duration lease = Duration.ofSeconds(1);
    return Webhooks.builder()
        .source(WebhooksFixture.source("shop"))
        .options(options -> options.lease(lease).crashes(5, Backoff.fixed(Duration.ofMillis(50))))
        .handler(
            "first",
            options -> options.retry(SOON),
            event -> noted(journal, "first", event, Result.success()))
        .handler(
            "second",
            options -> options.retry(SOON),
            event -> {
              boolean fails = event.attempt() < 3;
              noted(journal, "second", event, Result.success());
              if (event.attempt() == 2 && moment == Moment.WITHIN) {
                fatal.run();
              }
              return fails ? Result.fail("not yet") : Result.success();
            })
        .handler(
            "third",
            options -> options.retry(SOON),
            event -> {
              Result answer = noted(journal, "third", event, Result.success());
              done.run();
              return answer;
            })
        .build();
  }

  private static Result noted(Path journal, String name, WebhookDelivery event, Result answer) {
    try {
      Files.writeString(
          journal,
          name + " #" + event.attempt() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return answer;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** The process that is killed. */
  static final class RequestReceiver {
    private RequestReceiver() {}

    public static void main(String[] arguments) {
      Moment moment = Moment.valueOf(arguments[2]);
      Webhooks webhooks = webhooks(Path.of(arguments[1]), moment, ChildJvm::serve, () -> {});
      try (HikariDataSource pool = StoreKind.pool(arguments[0]);
          JdbcStore store = JdbcStore.builder(pool).build();
          Mailroom mailroom = Mailroom.builder().store(store).add(webhooks).build()) {
        webhooks.receive(TestRequest.to("shop", "paid", "1").request());
        if (moment == Moment.BETWEEN) {
          mailroom.processPending(); // the second handler has failed, and waits
          ChildJvm.serve();
        } else {
          mailroom.start();
          ChildJvm.endWithParent();
          new CountDownLatch(1).await();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      throw new AssertionError("The process was not killed.");
    }
  }
}
