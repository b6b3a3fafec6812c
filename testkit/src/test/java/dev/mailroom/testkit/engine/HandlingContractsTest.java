package dev.mailroom.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Mailroom;
import dev.mailroom.Result;
import dev.mailroom.inspection.MessageState;
import dev.mailroom.options.Ordering;
import dev.mailroom.options.RetryPolicy;
import dev.mailroom.spi.Telemetry.Counter;
import dev.mailroom.testkit.ManualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands below the table: messages that nobody here knows, handles or can read. */
class HandlingContractsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final Desk desk = Desk.manual();
  private final List<String> handled = new ArrayList<>();

  private Mailroom newerVersion() {
    return Mailroom.builder()
        .store(desk.store())
        .time(desk.time)
        .contract(String.class, "newer", 1)
        .codec(new TextCodec())
        .inbox(Desk.INBOX, inbox -> {})
        .build();
  }

  private UUID writeUnknown() {
    return newerVersion().inbox(Desk.INBOX).write("from the future").messageId();
  }

  @Test
  @DisplayName("No handler for a known contract: parked with a clear reason and a metric")
  void noHandler() {
    desk.handler(delivery -> Result.success());
    UUID id = desk.writeBlob("b");

    desk.worker().run();

    assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(desk.progress(id).lastError().toString())
        .contains("no-handler", "'notes'", "'blob v1'");
    assertThat(desk.progress(id).parkedSince()).isEqualTo(desk.time.now());
    assertThat(desk.telemetry.sum(Counter.PARKED)).isEqualTo(1);
  }

  @Test
  @DisplayName("No handler: released with a growing delay, uncounted; not deleted, not completed")
  void noHandlerForEver() {
    desk.options(options -> options.retry(RetryPolicy.builder().attempts(1).build()).park(DAY))
        .handler(delivery -> Result.success());
    UUID id = desk.writeBlob("b");
    ManualEngine worker = desk.worker();

    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      worker.run();
      delays.add(desk.delay(id));
      desk.pass(desk.delay(id));
    }

    assertThat(delays).isSorted().startsWith(Duration.ofSeconds(1)).endsWith(Duration.ofMinutes(5));
    assertThat(delays).doesNotContainSequence(Duration.ZERO);
    assertThat(desk.time.now()).isAfter(desk.progress(id).parkedSince().plus(DAY));
    assertThat(desk.progress(id).attempts()).isZero();
    assertThat(desk.progress(id).deferrals()).isZero();
    assertThat(desk.deadLetters()).isEmpty();
  }

  @Test
  @DisplayName("No handler: a process that has one handles it when the delay is over")
  void handlerElsewhere() {
    desk.handler(delivery -> Result.success());
    UUID id = desk.writeBlob("b");
    desk.worker().run();
    Mailroom other =
        desk.node(
            inbox ->
                inbox.handler(
                    byte[].class,
                    delivery -> {
                      handled.add(delivery.attempt() + " of " + delivery.payload().length);
                      return Result.success();
                    }));
    desk.pass(Duration.ofSeconds(1));

    new ManualEngine(other, Desk.INBOX).run();

    assertThat(handled).containsExactly("1 of 1");
    assertThat(desk.isGone(id)).isTrue();
  }

  @Test
  @DisplayName("Unknown contract: parked for the park time (default 14 days), then dead")
  void unknownContract() {
    desk.handler(delivery -> Result.success());
    UUID id = writeUnknown();
    ManualEngine worker = desk.worker();

    worker.run();
    assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
    assertThat(desk.progress(id).attempts()).isZero();
    assertThat(desk.telemetry.sum(Counter.PARKED)).isEqualTo(1);
    desk.pass(DAY.multipliedBy(14).minusMillis(1));
    worker.run();
    assertThat(desk.state(id)).isEqualTo(MessageState.SCHEDULED);
    desk.pass(desk.delay(id));
    worker.run();

    assertThat(desk.deadLetter().id()).isEqualTo(id);
    assertThat(desk.deadLetter().error().toString()).contains("unknown-contract", "'newer v1'");
  }

  @Test
  @DisplayName("Unknown contract: the version that knows it handles it after a rolling deploy")
  void unknownContractBecomesKnown() {
    desk.handler(delivery -> Result.success());
    writeUnknown();
    desk.worker().run();
    Mailroom newer =
        Mailroom.builder()
            .store(desk.store())
            .time(desk.time)
            .contract(String.class, "newer", 1)
            .codec(new TextCodec())
            .inbox(
                Desk.INBOX,
                inbox ->
                    inbox.handler(
                        String.class,
                        delivery -> {
                          handled.add(delivery.payload());
                          return Result.success();
                        }))
            .build();
    desk.pass(Duration.ofSeconds(1));

    new ManualEngine(newer, Desk.INBOX).run();

    assertThat(handled).containsExactly("from the future");
    assertThat(desk.alive()).isZero();
  }

  @Test
  @DisplayName("Undecodable payload: dead at once with the reason")
  void undecodable() {
    desk.settings(builder -> builder.codec(new TextCodec()))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    UUID id = desk.write(TextCodec.UNREADABLE);
    desk.write("fine");

    desk.worker().run();

    assertThat(handled).containsExactly("fine");
    assertThat(desk.deadLetter().id()).isEqualTo(id);
    assertThat(desk.deadLetter().error().type()).isEqualTo("undecodable");
    assertThat(desk.deadLetter().error().message()).contains("java.lang.String", "not a text");
    assertThat(desk.deadLetter().message().progress().attempts()).isEqualTo(1);
  }

  @Test
  @DisplayName("Undecodable payload: a content type that no codec reads is one, too")
  void unknownContentType() {
    desk.handler(delivery -> Result.success());
    desk.settings(builder -> builder.codec(new TextCodec()));
    desk.node(inbox -> {}).inbox(Desk.INBOX).write("text");

    desk.worker().run();

    assertThat(desk.deadLetter().error().message())
        .contains("text/plain", "application/octet-stream");
  }

  @Test
  @DisplayName("A parked message in an ordered group holds up its group")
  void parkedInAGroup() {
    desk.options(options -> options.ordering(Ordering.WHEN_KEYED))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    desk.inbox().write(new byte[1], options -> options.groupKey("a"));
    desk.writeGrouped("a1", "b1");

    desk.worker().run();

    assertThat(handled).containsExactly("b1");
  }
}
