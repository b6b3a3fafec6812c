package dev.mailroom.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mailroom.HandlerOptions;
import dev.mailroom.Mailroom;
import dev.mailroom.MessageContract;
import dev.mailroom.RawCodec;
import dev.mailroom.Result;
import dev.mailroom.deadletters.DeadLetter;
import dev.mailroom.deadletters.DeadLetterFilter;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.jackson.Payloads.Page;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The codec in a mailroom, from the write to the handler. */
class JacksonInboxTest {
  private final MemoryStore store = MemoryStore.create();
  private final List<Object> handled = new ArrayList<>();

  @MessageContract(name = "people.person-moved")
  record PersonMoved(String name, String city) {}

  @MessageContract(name = "people.person-moved", version = 2)
  record PersonMovedV2(String name, Address address) {}

  record Address(String city, String country) {}

  @Test
  void aPayloadComesToItsHandler() {
    try (Mailroom mailroom = reader(PersonMoved.class)) {
      mailroom.inbox("people").write(new PersonMoved("Ada", "London"));

      assertThat(mailroom.processPending()).isEqualTo(1);
    }
    assertThat(handled).containsExactly(new PersonMoved("Ada", "London"));
  }

  @Test
  void aGenericPayloadComesToItsHandler() {
    TypeReference<Page<PersonMoved>> pages = new TypeReference<>() {};
    PersonMoved ada = new PersonMoved("Ada", "London");
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .contracts(contracts -> contracts.register(pages, "people.page", 1))
            .inbox(
                "people",
                inbox ->
                    inbox.handler(
                        pages, delivery -> handle(delivery.payload()), HandlerOptions.defaults()))
            .build()) {
      mailroom.inbox("people").write(new Page<>(List.of(ada), ada));
      mailroom.processPending();
    }
    assertThat(handled).containsExactly(new Page<>(List.of(ada), ada));
  }

  @Test
  void whatAnOlderVersionWroteIsUpgradedForTheNewHandler() {
    try (Mailroom old = reader(PersonMoved.class)) {
      old.inbox("people").write(new PersonMoved("Ada", "London"));
    }
    try (Mailroom current =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .contracts(
                contracts ->
                    contracts.upgrade(
                        PersonMoved.class,
                        PersonMovedV2.class,
                        old -> new PersonMovedV2(old.name(), new Address(old.city(), "unknown"))))
            .inbox(
                "people",
                inbox -> inbox.handler(PersonMovedV2.class, delivery -> handle(delivery.payload())))
            .build()) {
      current.inbox("people").write(new PersonMovedV2("Alan", new Address("Bletchley", "UK")));

      assertThat(current.processPending()).isEqualTo(2);
    }
    assertThat(handled)
        .containsExactlyInAnyOrder(
            new PersonMovedV2("Ada", new Address("London", "unknown")),
            new PersonMovedV2("Alan", new Address("Bletchley", "UK")));
  }

  @Test
  void whatCannotBeReadIsDeadWithAReasonThatDoesNotQuoteIt() {
    PayloadCodec broken = new ArrayMutator("{\"name\":\"Ada\",\"city\":{\"s4242424242\":1}}");
    try (Mailroom writer = mailroom(broken, PersonMoved.class)) {
      writer.inbox("people").write(new PersonMoved("Ada", "London"));
    }
    try (Mailroom mailroom = reader(PersonMoved.class)) {
      mailroom.processPending();

      List<DeadLetter> dead =
          mailroom.inbox("people").deadLetters().list(DeadLetterFilter.all(), 10).letters();
      assertThat(dead).hasSize(1);
      assertThat(dead.get(0).error().type()).isEqualTo("undecodable");
      assertThat(dead.get(0).error().message())
          .contains(PersonMoved.class.getName(), "does not fit java.lang.String", "at city");
      assertThat(dead.get(0).error().message() + dead.get(0).error().detail())
          .doesNotContain("4242", "Ada");
    }
    assertThat(handled).isEmpty();
  }

  @Test
  void whatCannotBeWrittenThrowsAndIsNotStored() {
    try (Mailroom mailroom =
        Mailroom.builder()
            .store(store)
            .codec(new JacksonCodec())
            .inbox("stamps", inbox -> {})
            .build()) {
      assertThatThrownBy(() -> mailroom.inbox("stamps").write(new Arrived(Instant.EPOCH)))
          .isInstanceOf(MailroomException.class)
          .hasMessageContaining("java.time.Instant");
      assertThat(mailroom.inbox("stamps").inspect().counts().ready()).isZero();
    }
  }

  @MessageContract(name = "people.arrived")
  record Arrived(Instant at) {}

  @Test
  void whatCannotBeReadIsRefusedWhenTheMailroomIsBuilt() {
    assertThatThrownBy(() -> reader(Arrived.class))
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll("inbox 'people'", "Arrived", "at at", "JavaTimeModule");
  }

  private Mailroom reader(Class<?> type) {
    return mailroom(new JacksonCodec(), type);
  }

  private <T> Mailroom mailroom(PayloadCodec codec, Class<T> type) {
    return Mailroom.builder()
        .store(store)
        .codec(codec)
        .codec(new RawCodec())
        .inbox("people", inbox -> inbox.handler(type, delivery -> handle(delivery.payload())))
        .build();
  }

  private Result handle(Object payload) {
    handled.add(payload);
    return Result.success();
  }

  /** Says that it writes JSON, and writes what it was given. */
  private record ArrayMutator(String text) implements PayloadCodec {
    @Override
    public String contentType() {
      return "application/json";
    }

    @Override
    public byte[] encode(Object payload, Type type) {
      return text.getBytes(UTF_8);
    }

    @Override
    public Object decode(byte[] bytes, Type type) {
      throw new UnsupportedOperationException();
    }
  }
}
