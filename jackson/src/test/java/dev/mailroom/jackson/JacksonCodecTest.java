package dev.mailroom.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.jackson.Payloads.Anything;
import dev.mailroom.jackson.Payloads.Currency;
import dev.mailroom.jackson.Payloads.Gadget;
import dev.mailroom.jackson.Payloads.Money;
import dev.mailroom.jackson.Payloads.NightFell;
import dev.mailroom.jackson.Payloads.Nothing;
import dev.mailroom.jackson.Payloads.Order;
import dev.mailroom.jackson.Payloads.Page;
import dev.mailroom.jackson.Payloads.Parcel;
import dev.mailroom.messages.TypeReference;
import java.io.IOException;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JacksonCodecTest {
  private static final Type PAGE_OF_MONEY = new TypeReference<Page<Money>>() {}.type();
  private static final Type PAGE_OF_TEXT = new TypeReference<Page<String>>() {}.type();

  private final JacksonCodec codec = new JacksonCodec();

  @Test
  void writesJson() {
    assertThat(codec.contentType()).isEqualTo("application/json");
    assertThat(codec.encode(new Money(new BigDecimal("9.90"), Currency.CHF), Money.class))
        .asString(UTF_8)
        .isEqualTo("{\"amount\":9.90,\"currency\":\"CHF\"}");
  }

  @Test
  void readsBackTheRecordItWrote() {
    Order order =
        new Order(
            new UUID(4, 711),
            new Money(new BigDecimal("120.50"), Currency.EUR),
            List.of("a chair", "ein Stück Käse"),
            Map.of("chairs", 3));

    assertThat(decode(codec.encode(order, Order.class), Order.class)).isEqualTo(order);
  }

  @Test
  void readsBackTheGenericTypeItWrote() {
    Money money = new Money(BigDecimal.ONE, Currency.EUR);
    Page<Money> page = new Page<>(List.of(money), money);

    assertThat(decode(codec.encode(page, PAGE_OF_MONEY), PAGE_OF_MONEY)).isEqualTo(page);
  }

  @Test
  void keepsParameterisationsOfOneClassApart() {
    byte[] texts = codec.encode(new Page<>(List.of("a"), "b"), PAGE_OF_TEXT);

    assertThat(decode(texts, PAGE_OF_TEXT)).isEqualTo(new Page<>(List.of("a"), "b"));
    assertThatThrownBy(() -> codec.decode(texts, PAGE_OF_MONEY))
        .isInstanceOf(MailroomException.class);
  }

  @Test
  void readsBackAPayloadWithoutAnyContent() {
    assertThat(decode(codec.encode(new NightFell(), NightFell.class), NightFell.class))
        .isEqualTo(new NightFell());
  }

  @Test
  void ignoresWhatANewerWriterHasAdded() {
    assertThat(decode("{\"amount\":1,\"currency\":\"EUR\",\"tax\":{\"rate\":[1,2]}}", Money.class))
        .isEqualTo(new Money(BigDecimal.ONE, Currency.EUR));
  }

  @Test
  void leavesOutWhatAnOlderWriterDidNotKnow() {
    assertThat(decode("{\"amount\":1}", Money.class)).isEqualTo(new Money(BigDecimal.ONE, null));
  }

  @Test
  void instantiatesNothingThatTheBytesName() {
    String name = Gadget.class.getName();
    int before = Gadget.MADE.get();

    Object fields =
        decode("{\"value\":{\"@class\":\"" + name + "\",\"name\":\"x\"}}", Anything.class);
    Object pair = decode("{\"value\":[\"" + name + "\",{\"name\":\"x\"}]}", Anything.class);

    assertThat(fields).isEqualTo(new Anything(Map.of("@class", name, "name", "x")));
    assertThat(pair).isEqualTo(new Anything(List.of(name, Map.of("name", "x"))));
    assertThat(Gadget.MADE).hasValue(before);
  }

  @Test
  void instantiatesNothingThatTheBytesNameEvenIfAnAnnotationAsksForIt() {
    String json = "{\"content\":{\"@class\":\"" + Gadget.class.getName() + "\",\"name\":\"x\"}}";
    int before = Gadget.MADE.get();

    assertThatThrownBy(() -> decode(json, Parcel.class)).isInstanceOf(MailroomException.class);
    assertThat(Gadget.MADE).hasValue(before);
  }

  @Test
  void refusesToWriteWhatItCouldNotRead() {
    assertThatThrownBy(() -> codec.encode(new Nothing("x"), Nothing.class))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("null")
        .hasMessageContaining(Nothing.class.getName());
  }

  @JsonDeserialize(using = ReadNote.class)
  record Note(String text) {}

  record Notes(Note first, Note second) {}

  static final class ReadNote extends JsonDeserializer<Note> {
    @Override
    public Note deserialize(JsonParser json, DeserializationContext context) throws IOException {
      JsonNode tree = json.readValueAsTree();
      return new Note(tree.get("text").textValue());
    }
  }

  @Test
  void aDeserializerMayReadItsPartAsATree() {
    Notes notes = new Notes(new Note("a"), new Note("b"));

    assertThat(decode(codec.encode(notes, Notes.class), Notes.class)).isEqualTo(notes);
    assertThat(decode("{\"text\":\"a\"} ", Note.class)).isEqualTo(new Note("a"));
  }

  @Test
  void refusesWhatFollowsTheValue() {
    for (String more : List.of("{}", "1", "null", "[")) {
      assertThatThrownBy(() -> decode("{\"text\":\"a\"} " + more, Note.class))
          .isInstanceOf(MailroomException.class)
          .hasMessageContainingAll(Note.class.getName(), "more follows after the value");
      assertThatThrownBy(() -> decode("{\"amount\":1}" + more, Money.class))
          .isInstanceOf(MailroomException.class)
          .hasMessageContaining("more follows after the value");
    }
    assertThatThrownBy(() -> decode("{\"text\":\"a\"} }", Note.class))
        .isInstanceOf(MailroomException.class)
        .hasMessageContaining("not well-formed");
  }

  private Object decode(String json, Type type) {
    return decode(json.getBytes(UTF_8), type);
  }

  private Object decode(byte[] bytes, Type type) {
    return codec.decode(bytes, type);
  }
}
