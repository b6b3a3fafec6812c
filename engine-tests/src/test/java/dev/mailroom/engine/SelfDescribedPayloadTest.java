package dev.mailroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Delivery;
import dev.mailroom.HandlerOptions;
import dev.mailroom.HasCollapseKey;
import dev.mailroom.HasDeduplicationKey;
import dev.mailroom.HasGroupKey;
import dev.mailroom.HasMessageId;
import dev.mailroom.HasReceivedAt;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.Message;
import dev.mailroom.messages.Routing;
import dev.mailroom.messages.Target;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.options.Ordering;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What payloads and their contracts say of themselves, from the write to the handler. */
class SelfDescribedPayloadTest {
  private static final Instant RECEIVED = Instant.parse("2001-01-01T00:00:00Z");

  @MessageContract(name = "described", version = 3)
  private record Described(UUID messageId)
      implements HasGroupKey, HasDeduplicationKey, HasCollapseKey, HasMessageId, HasReceivedAt {
    @Override
    public String groupKey() {
      return "group";
    }

    @Override
    public String deduplicationKey() {
      return "deduplication";
    }

    @Override
    public String collapseKey() {
      return "collapse";
    }

    @Override
    public Instant receivedAt() {
      return RECEIVED;
    }
  }

  private record Archive<T>(T content) {
    @Override
    public String toString() {
      return content.toString();
    }
  }

  private record Older(String text) {}

  private record Newer(String text, String more) {}

  private final EngineFixture fixture = EngineFixture.manual();

  private Message stored(UUID id) {
    return fixture.store().find(EngineFixture.CHANNEL, Target.id(id)).message();
  }

  private void describing() {
    fixture
        .options(options -> options.ordering(Ordering.WHEN_KEYED))
        .settings(builder -> builder.codec(new TextCodec()))
        .writeOnly();
  }

  @Test
  @DisplayName("Keys, id and received-at can come from the payload")
  void fromThePayload() {
    describing();
    UUID id = new UUID(1, 1);

    fixture.inbox().write(new Described(id));

    assertThat(stored(id).routing())
        .isEqualTo(new Routing(null, "group", "deduplication", "collapse"));
    assertThat(stored(id).timing().receivedAt()).isEqualTo(RECEIVED);
    assertThat(stored(id).contract()).isEqualTo(new Contract("described", 3));
  }

  @Test
  @DisplayName("Keys, id and received-at given explicitly go before the payload's")
  void optionsWin() {
    describing();
    UUID id = new UUID(2, 2);

    fixture
        .inbox()
        .write(
            new Described(new UUID(1, 1)),
            options ->
                options
                    .messageId(id)
                    .groupKey("other group")
                    .deduplicationKey("other deduplication")
                    .collapseKey(" ")
                    .receivedAt(RECEIVED.plusSeconds(1)));

    assertThat(stored(id).routing())
        .isEqualTo(new Routing(null, "other group", "other deduplication", null));
    assertThat(stored(id).timing().receivedAt()).isEqualTo(RECEIVED.plusSeconds(1));
  }

  @Test
  @DisplayName("A payload without an id of its own gets a new one")
  void noIdOfItsOwn() {
    describing();

    assertThat(fixture.inbox().write(new Described(null)).messageId().version()).isEqualTo(7);
  }

  @Test
  @DisplayName("Tenant, correlation, causation and headers reach the handler")
  void everythingReachesTheHandler() {
    List<Delivery<String>> deliveries = new ArrayList<>();
    fixture.handler(
        delivery -> {
          deliveries.add(delivery);
          return Result.success();
        });
    UUID id =
        fixture.write(
            "a",
            options ->
                options
                    .tenant("acme")
                    .groupKey("g")
                    .correlationId("conversation")
                    .causationId("cause")
                    .header("first", "1")
                    .header("second", "2"));

    fixture.worker().run();

    Delivery<String> delivery = deliveries.get(0);
    assertThat(delivery.id()).isEqualTo(id);
    assertThat(delivery.groupKey()).isEqualTo("g");
    assertThat(delivery.headers()).containsEntry("first", "1").containsEntry("second", "2");
    Message message = delivery.message();
    assertThat(message.routing().tenant()).isEqualTo("acme");
    assertThat(message.envelope().trace().correlationId()).isEqualTo("conversation");
    assertThat(message.envelope().trace().causationId()).isEqualTo("cause");
    assertThat(message.channel()).isEqualTo(EngineFixture.INBOX);
  }

  @Test
  @DisplayName("An inbox can be limited to one tenant's messages")
  void oneTenant() {
    List<String> handled = new ArrayList<>();
    fixture
        .options(options -> options.tenant("acme"))
        .handler(
            delivery -> {
              handled.add(delivery.payload());
              return Result.success();
            });
    fixture.write("ours", options -> options.tenant("acme"));
    fixture.write("theirs", options -> options.tenant("other"));
    fixture.write("undescribed");

    fixture.worker().run();

    assertThat(handled).containsExactly("ours");
  }

  @Test
  @DisplayName("Each concrete parameterisation of a generic type has its own contract")
  void genericTypes() {
    List<String> handled = new ArrayList<>();
    TypeReference<Archive<String>> texts = new TypeReference<>() {};
    TypeReference<Archive<Integer>> numbers = new TypeReference<>() {};
    fixture
        .settings(
            builder ->
                builder
                    .codec(new ArchiveCodec())
                    .contracts(
                        contracts ->
                            contracts.register(texts, "texts", 1).register(numbers, "numbers", 1)))
        .inbox(
            inbox ->
                inbox
                    .handler(
                        texts,
                        delivery -> {
                          handled.add("text " + delivery.payload().content().length());
                          return Result.success();
                        },
                        HandlerOptions.defaults())
                    .handler(
                        numbers,
                        delivery -> {
                          handled.add("number " + (delivery.payload().content() + 1));
                          return Result.success();
                        },
                        HandlerOptions.defaults()));
    fixture.inbox().write(new Archive<>("four"), options -> options.type(texts));
    fixture.inbox().write(new Archive<>(41), options -> options.type(numbers));

    fixture.worker().run();

    assertThat(handled).containsExactlyInAnyOrder("text 4", "number 42");
  }

  /** Reads archives by the parameter of their type. */
  private static final class ArchiveCodec implements PayloadCodec {
    @Override
    public String contentType() {
      return "text/archive";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return payload.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return type.getTypeName().contains("Integer")
          ? new Archive<>(Integer.valueOf(text))
          : new Archive<>(text);
    }
  }

  /** Reads the two versions of one contract. */
  private static final class VersionedCodec implements PayloadCodec {
    @Override
    public String contentType() {
      return "text/versioned";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return (payload instanceof Older older ? older.text() : ((Newer) payload).text())
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return type == Older.class ? new Older(text) : new Newer(text, "stored");
    }
  }

  @Test
  @DisplayName("Older versions can be read: an upgrader turns version n into n+1 for the handler")
  void upgrades() {
    List<Newer> handled = new ArrayList<>();
    fixture
        .settings(
            builder ->
                builder
                    .codec(new VersionedCodec())
                    .contract(Older.class, "letter", 1)
                    .contract(Newer.class, "letter", 2)
                    .contracts(
                        contracts ->
                            contracts.upgrade(
                                Older.class,
                                Newer.class,
                                older -> new Newer(older.text(), "upgraded"))))
        .inbox(
            inbox ->
                inbox.handler(
                    Newer.class,
                    delivery -> {
                      handled.add(delivery.payload());
                      return Result.success();
                    }));
    fixture.inbox().write(new Older("old"));
    fixture.inbox().write(new Newer("new", ""));

    fixture.worker().run();

    assertThat(handled)
        .containsExactlyInAnyOrder(new Newer("old", "upgraded"), new Newer("new", "stored"));
  }

  @Test
  @DisplayName("Renaming or moving a class changes nothing stored")
  void renamed() {
    List<Object> handled = new ArrayList<>();
    Mailroom before =
        Mailroom.builder()
            .store(fixture.store())
            .time(fixture.time)
            .codec(new VersionedCodec())
            .contract(Older.class, "letter", 1)
            .inbox(EngineFixture.INBOX, inbox -> {})
            .build();
    before.inbox(EngineFixture.INBOX).write(new Older("text"));
    fixture
        .settings(builder -> builder.codec(new VersionedCodec()).contract(Newer.class, "letter", 1))
        .inbox(
            inbox ->
                inbox.handler(
                    Newer.class,
                    delivery -> {
                      handled.add(delivery.payload());
                      return Result.success();
                    }));

    fixture.worker().run();

    assertThat(handled).containsExactly(new Newer("text", "stored"));
  }
}
