package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.test.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What stands below the table: messages without a known contract, without a handler, or that cannot
 * be decoded.
 */
class HandlingContractsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final EngineFixture fixture = EngineFixture.manual();
  private final List<String> handled = new ArrayList<>();

  private Mailroom newerVersion() {
    return Mailroom.builder()
        .store(fixture.store())
        .time(fixture.time)
        .contract(String.class, "newer", 1)
        .codec(new TextCodec())
        .inbox(EngineFixture.INBOX, inbox -> {})
        .build();
  }

  private UUID writeUnknown() {
    return newerVersion().inbox(EngineFixture.INBOX).write("from the future").messageId();
  }

  @Test
  @DisplayName("No handler for a known contract: parked with a clear reason and a metric")
  void noHandler() {
    fixture.handler(delivery -> Result.success());
    UUID id = fixture.writeBlob("b");

    fixture.worker().run();

    assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(fixture.progress(id).lastError().toString())
        .contains("no-handler", "'notes'", "'blob v1'");
    assertThat(fixture.progress(id).parkedSince()).isEqualTo(fixture.time.now());
    assertThat(fixture.telemetry.sum(Counter.PARKED)).isEqualTo(1);
  }

  @Test
  @DisplayName("No handler: released with a growing delay, uncounted; not deleted, not completed")
  void noHandlerForEver() {
    fixture
        .options(options -> options.retry(RetryPolicy.builder().attempts(1).build()).park(DAY))
        .handler(delivery -> Result.success());
    UUID id = fixture.writeBlob("b");
    ManualEngine worker = fixture.worker();

    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      worker.run();
      delays.add(fixture.delay(id));
      fixture.pass(fixture.delay(id));
    }

    assertThat(delays).isSorted().startsWith(Duration.ofSeconds(1)).endsWith(Duration.ofMinutes(5));
    assertThat(delays).doesNotContainSequence(Duration.ZERO);
    assertThat(fixture.time.now()).isAfter(fixture.progress(id).parkedSince().plus(DAY));
    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(fixture.progress(id).deferrals()).isZero();
    assertThat(fixture.deadLetters()).isEmpty();
  }

  @Test
  @DisplayName("No handler: a process that has one handles it when the delay is over")
  void handlerElsewhere() {
    fixture.handler(delivery -> Result.success());
    UUID id = fixture.writeBlob("b");
    fixture.worker().run();
    Mailroom other =
        fixture.node(
            inbox ->
                inbox.handler(
                    byte[].class,
                    delivery -> {
                      handled.add(delivery.attempt() + " of " + delivery.payload().length);
                      return Result.success();
                    }));
    fixture.pass(Duration.ofSeconds(1));

    new ManualEngine(other, EngineFixture.INBOX).run();

    assertThat(handled).containsExactly("1 of 1");
    assertThat(fixture.isGone(id)).isTrue();
  }

  @Test
  @DisplayName("Unknown contract: parked for the park time (default 14 days), then dead")
  void unknownContract() {
    fixture.handler(delivery -> Result.success());
    UUID id = writeUnknown();
    ManualEngine worker = fixture.worker();

    worker.run();
    assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(fixture.progress(id).attempts()).isZero();
    assertThat(fixture.telemetry.sum(Counter.PARKED)).isEqualTo(1);
    fixture.pass(DAY.multipliedBy(14).minusMillis(1));
    worker.run();
    assertThat(fixture.state(id)).isEqualTo(MessageState.SCHEDULED);
    fixture.pass(fixture.delay(id));
    worker.run();

    assertThat(fixture.deadLetter().id()).isEqualTo(id);
    assertThat(fixture.deadLetter().error().toString()).contains("unknown-contract", "'newer v1'");
  }

  @Test
  @DisplayName("Unknown contract: the version that knows it handles it after a rolling deploy")
  void unknownContractBecomesKnown() {
    fixture.handler(delivery -> Result.success());
    writeUnknown();
    fixture.worker().run();
    Mailroom newer =
        Mailroom.builder()
            .store(fixture.store())
            .time(fixture.time)
            .contract(String.class, "newer", 1)
            .codec(new TextCodec())
            .inbox(
                EngineFixture.INBOX,
                inbox ->
                    inbox.handler(
                        String.class,
                        delivery -> {
                          handled.add(delivery.payload());
                          return Result.success();
                        }))
            .build();
    fixture.pass(Duration.ofSeconds(1));

    new ManualEngine(newer, EngineFixture.INBOX).run();

    assertThat(handled).containsExactly("from the future");
    assertThat(fixture.alive()).isZero();
  }

  @Test
  @DisplayName("Undecodable payload: dead at once with the reason")
  void undecodable() {
    fixture
        .settings(builder -> builder.codec(new TextCodec()))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    UUID id = fixture.write(TextCodec.UNREADABLE);
    fixture.write("fine");

    fixture.worker().run();

    assertThat(handled).containsExactly("fine");
    assertThat(fixture.deadLetter().id()).isEqualTo(id);
    assertThat(fixture.deadLetter().error().type()).isEqualTo("undecodable");
    assertThat(fixture.deadLetter().error().message()).contains("java.lang.String", "not a text");
    assertThat(fixture.deadLetter().message().progress().attempts()).isEqualTo(1);
  }

  @Test
  @DisplayName("Undecodable payload: a content type that no codec reads is one, too")
  void unknownContentType() {
    fixture.handler(delivery -> Result.success());
    fixture.settings(builder -> builder.codec(new TextCodec()));
    fixture.node(inbox -> {}).inbox(EngineFixture.INBOX).write("text");

    fixture.worker().run();

    assertThat(fixture.deadLetter().error().message())
        .contains("text/plain", "application/octet-stream");
  }

  @Test
  @DisplayName("A parked message in an ordered group holds up its group")
  void parkedInAGroup() {
    fixture
        .options(options -> options.ordering(Ordering.WHEN_KEYED))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    fixture.inbox().write(new byte[1], options -> options.groupKey("a"));
    fixture.writeGrouped("a1", "b1");

    fixture.worker().run();

    assertThat(handled).containsExactly("b1");
  }
}
