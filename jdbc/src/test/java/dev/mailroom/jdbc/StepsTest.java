package dev.mailroom.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Result;
import dev.mailroom.messages.LastError;
import dev.mailroom.spi.HandlerOutcome.RetryAfter;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that keep their steps in a database, many at once. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StepsTest {
  private static final int MESSAGES = 40;
  private static final LastError NOT_YET = LastError.of("not-yet", "the second step fails once");

  @ParameterizedTest
  @EnumSource
  void a_step_that_was_recorded_is_not_taken_again(Databases database) throws Exception {
    Map<String, Integer> first = new ConcurrentHashMap<>();
    Map<String, Integer> second = new ConcurrentHashMap<>();
    try (Office office = new Office(database.create(), 10)) {
      office
          .open(
              inbox ->
                  inbox
                      .options(options -> options.concurrency(4))
                      .handler(
                          String.class,
                          delivery -> {
                            if (!delivery.message().checkpoints().containsKey("first")) {
                              first.merge(delivery.payload(), 1, Integer::sum);
                              delivery.checkpoint("first", "done");
                            }
                            second.merge(delivery.payload(), 1, Integer::sum);
                            return delivery.attempt() == 1
                                ? Result.of(new RetryAfter(NOT_YET, Duration.ofMillis(10)))
                                : Result.success();
                          }))
          .start();
      Map<String, Integer> once = new TreeMap<>();
      Map<String, Integer> twice = new TreeMap<>();
      for (int i = 0; i < MESSAGES; i++) {
        office.mailroom().inbox(Office.INBOX).write("m" + i);
        once.put("m" + i, 1);
        twice.put("m" + i, 2);
      }
      office.awaitDone();

      assertThat(first).isEqualTo(once);
      assertThat(second).isEqualTo(twice);
      assertThat(office.counts().dead()).isZero();
    }
  }
}
