package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Batch;
import dev.mailroom.BatchResult;
import dev.mailroom.Delivery;
import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Backoff;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands below the table: batch handlers answer per message. */
class HandlingBatchTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Desk desk = Desk.manual();
  private final List<List<String>> batches = new ArrayList<>();

  private static List<String> texts(Batch<?> batch) {
    return batch.deliveries().stream().map(delivery -> delivery.payload().toString()).toList();
  }

  /** Writes a message per answer and lets the handler give it. */
  private UUID[] handleAll(Function<Delivery<String>, Result> answer, String... texts) {
    desk.options(
            options ->
                options.retry(
                    RetryPolicy.builder()
                        .attempts(2)
                        .backoff(Backoff.fixed(SECOND).withJitter(0)).build()))
        .batchHandler(
            batch -> {
              batches.add(texts(batch));
              BatchResult results = batch.results();
              for (Delivery<String> delivery : batch.deliveries()) {
                Result result = answer.apply(delivery);
                if (result != null) {
                  results.add(delivery, result);
                }
              }
              return results;
            });
    UUID[] ids = new UUID[texts.length];
    for (int i = 0; i < texts.length; i++) {
      ids[i] = desk.write(texts[i]);
    }
    desk.worker().run();
    return ids;
  }

  @Test
  @DisplayName("Batch handlers answer per message")
  void perMessage() {
    UUID[] ids =
        handleAll(
            delivery ->
                switch (delivery.payload()) {
                  case "failed" -> Result.fail("no");
                  case "later" -> Result.retryLater(Duration.ofMinutes(3));
                  case "dead" -> Result.deadLetter("never");
                  default -> Result.success();
                },
            "fine",
            "failed",
            "later",
            "dead",
            "good");

    assertThat(batches).containsExactly(List.of("fine", "failed", "later", "dead", "good"));
    assertThat(desk.isGone(ids[0])).isTrue();
    assertThat(desk.delay(ids[1])).isEqualTo(SECOND);
    assertThat(desk.progress(ids[1]).attempts()).isEqualTo(1);
    assertThat(desk.delay(ids[2])).isEqualTo(Duration.ofMinutes(3));
    assertThat(desk.progress(ids[2]).deferrals()).isEqualTo(1);
    assertThat(desk.state(ids[3])).isEqualTo(MessageState.DEAD);
    assertThat(desk.isGone(ids[4])).isTrue();
    assertThat(desk.telemetry.sum(Counter.COMPLETED)).isEqualTo(2);
  }

  @Test
  @DisplayName("Batch handlers can answer for all at once")
  void allSucceeded() {
    desk.batchHandler(Batch::allSucceeded);
    desk.writeAll("a", "b", "c");

    desk.worker().run();

    assertThat(desk.alive()).isZero();
    assertThat(desk.telemetry.sum(Counter.COMPLETED)).isEqualTo(3);
  }

  @Test
  @DisplayName("a message left out of the answer is failed")
  void leftOut() {
    UUID[] ids =
        handleAll(
            delivery -> delivery.payload().equals("forgotten") ? null : Result.success(),
            "fine",
            "forgotten");

    assertThat(desk.isGone(ids[0])).isTrue();
    assertThat(desk.state(ids[1])).isEqualTo(MessageState.SCHEDULED);
    assertThat(desk.progress(ids[1]).attempts()).isEqualTo(1);
    assertThat(desk.progress(ids[1]).lastError().message()).contains("left it out");
  }

  @Test
  @DisplayName("no answer at all fails the whole batch")
  void noAnswer() {
    desk.batchHandler(batch -> null);
    UUID first = desk.write("a");
    UUID second = desk.write("b");

    desk.worker().run();

    assertThat(desk.progress(first).attempts()).isEqualTo(1);
    assertThat(desk.progress(second).attempts()).isEqualTo(1);
  }

  @Test
  @DisplayName("an unknown id in the answer is an error in the log")
  void unknownId() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    desk.batchHandler(
        batch ->
            batch
                .results()
                .add(batch.deliveries().get(0), Result.success())
                .add(new UUID(4, 4), Result.success()));
    UUID id = desk.write("a");

    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      desk.worker().run();
    } finally {
      System.setErr(before);
    }

    assertThat(desk.isGone(id)).isTrue();
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("ERROR", "'note'", "'notes'", "1 messages it was not given");
  }

  @Test
  @DisplayName("a throw fails the whole batch")
  void thrown() {
    desk.batchHandler(
        batch -> {
          throw new IOException("no line");
        });
    UUID first = desk.write("a");
    UUID second = desk.write("b");

    desk.worker().run();

    for (UUID id : List.of(first, second)) {
      assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
      assertThat(desk.progress(id).attempts()).isEqualTo(1);
      assertThat(desk.progress(id).lastError().message()).isEqualTo("no line");
    }
    assertThat(desk.telemetry.sum(Counter.FAILED)).isEqualTo(2);
  }

  @Test
  @DisplayName("an undecodable message is dead at once, and the batch ends before it")
  void undecodable() {
    desk.settings(builder -> builder.codec(new TextCodec()))
        .batchHandler(
            batch -> {
              batches.add(texts(batch));
              return batch.allSucceeded();
            });
    desk.writeAll("a", TextCodec.UNREADABLE, "b");

    desk.worker().run();

    assertThat(batches).containsExactly(List.of("a"), List.of("b"));
    assertThat(desk.deadLetter().error().type()).isEqualTo("undecodable");
    assertThat(desk.alive()).isZero();
  }

  @Test
  @DisplayName("messages without a handler are parked, batch or not")
  void parked() {
    desk.batchHandler(Batch::allSucceeded);
    UUID first = desk.writeBlob("b");
    UUID second = desk.writeBlob("c");

    desk.worker().run();

    assertThat(desk.progress(first).parkedSince()).isNotNull();
    assertThat(desk.progress(second).parkedSince()).isNotNull();
    assertThat(desk.telemetry.sum(Counter.PARKED)).isEqualTo(2);
  }

  @Test
  @DisplayName("an answer for all cannot be amended")
  void amendedAnswer() {
    desk.options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .batchHandler(
            batch -> batch.allSucceeded().add(batch.deliveries().get(0), Result.fail("no")));
    desk.write("a");

    desk.worker().run();

    assertThat(desk.deadLetter().error().message()).contains("results()");
  }

  @Test
  @DisplayName("unordered batches group by contract and have no group key")
  void byContract() {
    List<String> kinds = new ArrayList<>();
    desk.inbox(
        inbox ->
            inbox
                .batchHandler(
                    String.class,
                    batch -> {
                      kinds.add("texts " + batch.size() + " " + batch.groupKey());
                      return batch.allSucceeded();
                    })
                .batchHandler(
                    byte[].class,
                    batch -> {
                      kinds.add("blobs " + batch.size() + " " + batch.groupKey());
                      return batch.allSucceeded();
                    }));
    desk.writeGrouped("a1", "a2");
    desk.writeBlob("b");
    desk.write("c");

    assertThat(desk.worker().run()).as("messages").isEqualTo(4);

    assertThat(kinds).containsExactlyInAnyOrder("texts 3 null", "blobs 1 null");
  }

  @Test
  @DisplayName("a batch is no larger than the read batch")
  void batchSize() {
    desk.options(options -> options.readBatch(3))
        .batchHandler(
            batch -> {
              batches.add(texts(batch));
              return batch.allSucceeded();
            });
    desk.writeAll("a", "b", "c", "d", "e", "f", "g");

    desk.worker().run();

    assertThat(batches).hasSizeBetween(3, 7);
    assertThat(batches).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(3));
    assertThat(batches.stream().flatMap(List::stream)).hasSize(7).doesNotHaveDuplicates();
  }
}
