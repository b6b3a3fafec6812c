package dev.mailroom.engine;

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

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<List<String>> batches = new ArrayList<>();

  private static List<String> texts(Batch<?> batch) {
    return batch.deliveries().stream().map(delivery -> delivery.payload().toString()).toList();
  }

  /** Writes a message per answer and lets the handler give it. */
  private UUID[] handleAll(Function<Delivery<String>, Result> answer, String... texts) {
    fixture
        .options(
            options ->
                options.retry(
                    RetryPolicy.builder()
                        .attempts(2)
                        .backoff(Backoff.fixed(SECOND).withJitter(0))
                        .build()))
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
      ids[i] = fixture.write(texts[i]);
    }
    fixture.worker().run();
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
    assertThat(fixture.isGone(ids[0])).isTrue();
    assertThat(fixture.delay(ids[1])).isEqualTo(SECOND);
    assertThat(fixture.progress(ids[1]).attempts()).isEqualTo(1);
    assertThat(fixture.delay(ids[2])).isEqualTo(Duration.ofMinutes(3));
    assertThat(fixture.progress(ids[2]).deferrals()).isEqualTo(1);
    assertThat(fixture.state(ids[3])).isEqualTo(MessageState.DEAD);
    assertThat(fixture.isGone(ids[4])).isTrue();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(2);
  }

  @Test
  @DisplayName("Batch handlers can answer for all at once")
  void allSucceeded() {
    fixture.batchHandler(Batch::allSucceeded);
    fixture.writeAll("a", "b", "c");

    fixture.worker().run();

    assertThat(fixture.alive()).isZero();
    assertThat(fixture.telemetry.sum(Counter.COMPLETED)).isEqualTo(3);
  }

  @Test
  @DisplayName("a message left out of the answer is failed")
  void leftOut() {
    UUID[] ids =
        handleAll(
            delivery -> delivery.payload().equals("forgotten") ? null : Result.success(),
            "fine",
            "forgotten");

    assertThat(fixture.isGone(ids[0])).isTrue();
    assertThat(fixture.state(ids[1])).isEqualTo(MessageState.SCHEDULED);
    assertThat(fixture.progress(ids[1]).attempts()).isEqualTo(1);
    assertThat(fixture.progress(ids[1]).lastError().message()).contains("returned no result");
  }

  @Test
  @DisplayName("no answer at all fails the whole batch")
  void noAnswer() {
    fixture.batchHandler(batch -> null);
    UUID first = fixture.write("a");
    UUID second = fixture.write("b");

    fixture.worker().run();

    assertThat(fixture.progress(first).attempts()).isEqualTo(1);
    assertThat(fixture.progress(second).attempts()).isEqualTo(1);
  }

  @Test
  @DisplayName("an unknown id in the answer is an error in the log")
  void unknownId() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    fixture.batchHandler(
        batch ->
            batch
                .results()
                .add(batch.deliveries().get(0), Result.success())
                .add(new UUID(4, 4), Result.success()));
    UUID id = fixture.write("a");

    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      fixture.worker().run();
    } finally {
      System.setErr(before);
    }

    assertThat(fixture.isGone(id)).isTrue();
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("ERROR", "'note'", "'notes'", "1 messages it was not given");
  }

  @Test
  @DisplayName("a throw fails the whole batch")
  void thrown() {
    fixture.batchHandler(
        batch -> {
          throw new IOException("no line");
        });
    UUID first = fixture.write("a");
    UUID second = fixture.write("b");

    fixture.worker().run();

    for (UUID id : List.of(first, second)) {
      assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
      assertThat(fixture.progress(id).attempts()).isEqualTo(1);
      assertThat(fixture.progress(id).lastError().message()).isEqualTo("no line");
    }
    assertThat(fixture.telemetry.sum(Counter.FAILED)).isEqualTo(2);
  }

  @Test
  @DisplayName("an undecodable message is dead at once, and the batch ends before it")
  void undecodable() {
    fixture
        .settings(builder -> builder.codec(new TextCodec()))
        .batchHandler(
            batch -> {
              batches.add(texts(batch));
              return batch.allSucceeded();
            });
    fixture.writeAll("a", TextCodec.UNREADABLE, "b");

    fixture.worker().run();

    assertThat(batches).containsExactly(List.of("a"), List.of("b"));
    assertThat(fixture.deadLetter().error().type()).isEqualTo("undecodable");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("messages without a handler are parked, batch or not")
  void parked() {
    fixture.batchHandler(Batch::allSucceeded);
    UUID first = fixture.writeBlob("b");
    UUID second = fixture.writeBlob("c");

    fixture.worker().run();

    assertThat(fixture.progress(first).parkedSince()).isNotNull();
    assertThat(fixture.progress(second).parkedSince()).isNotNull();
    assertThat(fixture.telemetry.sum(Counter.PARKED)).isEqualTo(2);
  }

  @Test
  @DisplayName("an answer for all cannot be amended")
  void amendedAnswer() {
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()))
        .batchHandler(
            batch -> batch.allSucceeded().add(batch.deliveries().get(0), Result.fail("no")));
    fixture.write("a");

    fixture.worker().run();

    assertThat(fixture.deadLetter().error().message()).contains("results()");
  }

  @Test
  @DisplayName("unordered batches group by contract and have no group key")
  void byContract() {
    List<String> kinds = new ArrayList<>();
    fixture.inbox(
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
    fixture.writeGrouped("a1", "a2");
    fixture.writeBlob("b");
    fixture.write("c");

    assertThat(fixture.worker().run()).as("messages").isEqualTo(4);

    assertThat(kinds).containsExactlyInAnyOrder("texts 3 null", "blobs 1 null");
  }

  @Test
  @DisplayName("a batch is no larger than the read batch")
  void batchSize() {
    fixture
        .options(options -> options.readBatch(3))
        .batchHandler(
            batch -> {
              batches.add(texts(batch));
              return batch.allSucceeded();
            });
    fixture.writeAll("a", "b", "c", "d", "e", "f", "g");

    fixture.worker().run();

    assertThat(batches).hasSizeBetween(3, 7);
    assertThat(batches).allSatisfy(batch -> assertThat(batch).hasSizeLessThanOrEqualTo(3));
    assertThat(batches.stream().flatMap(List::stream)).hasSize(7).doesNotHaveDuplicates();
  }
}
