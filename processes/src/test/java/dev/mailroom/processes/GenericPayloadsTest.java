package dev.mailroom.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mailroom.Contracts;
import dev.mailroom.Delivery;
import dev.mailroom.HasGroupKey;
import dev.mailroom.Mailroom;
import dev.mailroom.MailroomBuilder;
import dev.mailroom.MessageContract;
import dev.mailroom.Result;
import dev.mailroom.jackson.JacksonCodec;
import dev.mailroom.memory.MemoryStore;
import dev.mailroom.messages.Contract;
import dev.mailroom.messages.TypeReference;
import dev.mailroom.messages.WriteOptions;
import dev.mailroom.processes.OrderFlow.Placed;
import dev.mailroom.test.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Payloads whose class alone does not tell their contract. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GenericPayloadsTest {
  private static final TypeReference<List<Item>> ITEMS = new TypeReference<>() {};
  private static final TypeReference<Parcel<Item>> PARCEL = new TypeReference<>() {};
  private static final TypeReference<Parcel<String>> LETTER = new TypeReference<>() {};

  record Item(String name) {}

  record Parcel<T>(String order, T content) implements HasGroupKey {
    @Override
    public String groupKey() {
      return order;
    }
  }

  @MessageContract(name = "test.price", version = 1)
  record OldPrice(int amount) {}

  @MessageContract(name = "test.price", version = 2)
  record Price(int amount, String currency) {}

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final List<Delivery<?>> received = new ArrayList<>();

  private static void register(Contracts contracts) {
    contracts
        .register(ITEMS, "test.items", 1)
        .register(PARCEL, "test.parcel", 1)
        .register(LETTER, "test.letter", 1);
  }

  private Result receive(Delivery<?> delivery) {
    received.add(delivery);
    return Result.success();
  }

  @Test
  void a_step_sends_one_under_the_type_that_it_names() {
    OrderFlow flow =
        new OrderFlow(
            store,
            time,
            builder -> builder,
            more ->
                more.contracts(GenericPayloadsTest::register)
                    .inbox("items", inbox -> inbox.handler(ITEMS, this::receive)));
    flow.stepAction =
        step ->
            step.send(
                "items", List.of(new Item("cup")), WriteOptions.builder().type(ITEMS).build());
    flow.orders.send(new Placed("1"));
    flow.run();
    flow.mailroom.processPending("items");

    assertThat(received)
        .singleElement()
        .extracting(Delivery::payload)
        .isEqualTo(List.of(new Item("cup")));
  }

  /** Timeouts for the inbox "goods". */
  private Timeouts timeouts(Consumer<MailroomBuilder> more) {
    Timeouts timeouts = Timeouts.builder().inbox("out", "goods").acceptWeakDurability().build();
    MailroomBuilder builder =
        Mailroom.builder().store(store).time(time).codec(new JacksonCodec()).add(timeouts);
    more.accept(builder);
    builder.build();
    return timeouts;
  }

  private Mailroom goods() {
    return Mailroom.builder()
        .store(store)
        .time(time)
        .codec(new JacksonCodec())
        .contracts(GenericPayloadsTest::register)
        .contracts(contracts -> contracts.register(Price.class))
        .inbox(
            "goods",
            inbox ->
                inbox
                    .handler(ITEMS, this::receive)
                    .handler(PARCEL, this::receive)
                    .handler(Price.class, this::receive))
        .build();
  }

  private void assertReceived(Object payload, Contract contract) {
    goods().processPending("goods");
    assertThat(received).singleElement().extracting(Delivery::payload).isEqualTo(payload);
    assertThat(received.get(0).message().contract()).isEqualTo(contract);
  }

  @Test
  void a_timeout_brings_one_to_an_inbox_under_the_type_that_it_was_requested_with() {
    Timeouts timeouts =
        timeouts(more -> more.contracts(GenericPayloadsTest::register).inbox("goods", inbox -> {}));
    timeouts.request(
        "out", options -> options.after(Duration.ZERO).payload(List.of(new Item("cup")), ITEMS));
    timeouts.processPending();

    assertReceived(List.of(new Item("cup")), new Contract("test.items", 1));
  }

  @Test
  void a_payload_that_takes_the_place_of_one_does_not_have_its_type() {
    Timeouts timeouts =
        timeouts(
            more ->
                more.contracts(contracts -> contracts.register(Price.class))
                    .inbox("goods", inbox -> {}));
    timeouts.request(
        Timeout.of(
            "out",
            options ->
                options
                    .after(Duration.ZERO)
                    .payload(List.of(new Item("cup")), ITEMS)
                    .payload(new Price(7, "EUR"))));
    timeouts.processPending();

    assertReceived(new Price(7, "EUR"), new Contract("test.price", 2));
  }

  @Test
  void its_own_keys_are_those_of_the_message_in_the_inbox() {
    Timeouts timeouts =
        timeouts(more -> more.contracts(GenericPayloadsTest::register).inbox("goods", inbox -> {}));
    Parcel<Item> parcel = new Parcel<>("4711", new Item("cup"));
    timeouts.request("out", options -> options.after(Duration.ZERO).payload(parcel, PARCEL));
    timeouts.processPending();

    assertReceived(parcel, new Contract("test.parcel", 1));
    assertThat(received.get(0).groupKey()).isEqualTo("4711");
  }

  @Test
  void one_that_an_older_version_requested_comes_to_the_inbox_as_the_newest() {
    timeouts(more -> more.inbox("goods", inbox -> {}))
        .request("out", options -> options.after(Duration.ZERO).payload(new OldPrice(7)));
    timeouts(
            more ->
                more.inbox("goods", inbox -> {})
                    .contracts(
                        contracts ->
                            contracts
                                .register(OldPrice.class)
                                .register(Price.class)
                                .upgrade(
                                    OldPrice.class,
                                    Price.class,
                                    old -> new Price(old.amount(), "EUR"))))
        .processPending();

    assertReceived(new Price(7, "EUR"), new Contract("test.price", 2));
  }
}
