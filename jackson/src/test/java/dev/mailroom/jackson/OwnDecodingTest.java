package dev.mailroom.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DatabindContext;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.annotation.JsonTypeIdResolver;
import com.fasterxml.jackson.databind.jsontype.impl.TypeIdResolverBase;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.mailroom.errors.MailroomException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Types that say themselves how they are decoded: they are accepted, and they are read back. */
class OwnDecodingTest {
  private final JacksonCodec codec = new JacksonCodec();

  sealed interface Shape permits Circle, Square {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  record Typed(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
          Shape shape) {}

  record TypedList(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
          List<Shape> shapes,
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
          @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
          Map<String, Shape> named) {}

  record TypedOutside(
      String kind,
      @JsonTypeInfo(
              use = JsonTypeInfo.Id.NAME,
              include = JsonTypeInfo.As.EXTERNAL_PROPERTY,
              property = "kind")
          @JsonSubTypes({
            @JsonSubTypes.Type(value = Circle.class, name = "circle"),
            @JsonSubTypes.Type(value = Square.class, name = "square")
          })
          Shape shape) {}

  static final class TypedBean {
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    public Shape shape;
  }

  record HalfTyped(
      @JsonTypeInfo(use = JsonTypeInfo.Id.NAME) @JsonSubTypes(@JsonSubTypes.Type(Circle.class))
          Shape shape) {}

  record TypedOnceOnly(Typed typed, Shape shape) {}

  @Test
  void typeInformationOnAPropertyCounts() {
    readsBack(new Typed(new Square(1)));
    readsBack(new TypedList(List.of(new Circle(1), new Square(2)), Map.of("a", new Circle(3))));
    readsBack(new TypedOutside("square", new Square(4)));
    TypedBean bean = new TypedBean();
    bean.shape = new Circle(5);
    codec.check(TypedBean.class);
    assertThat(codec.decode(codec.encode(bean, TypedBean.class), TypedBean.class))
        .usingRecursiveComparison()
        .isEqualTo(bean);
  }

  @Test
  void typeInformationOnAPropertyCountsForThatPropertyOnly() {
    refuses(codec, TypedOnceOnly.class, "at shape", "it is sealed", "@JsonTypeInfo");
    refuses(codec, HalfTyped.class, "at shape", "Square is not listed in @JsonSubTypes");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "kind")
  @JsonTypeIdResolver(AnimalNames.class)
  sealed interface Animal permits Bird, Fish {}

  record Bird(int wings) implements Animal {}

  record Fish(int fins) implements Animal {}

  record Zoo(Animal first, List<Animal> others) {}

  static final class AnimalNames extends TypeIdResolverBase {
    @Override
    public String idFromValue(Object value) {
      return value instanceof Bird ? "b" : "f";
    }

    @Override
    public String idFromValueAndType(Object value, Class<?> type) {
      return idFromValue(value);
    }

    @Override
    public JavaType typeFromId(DatabindContext context, String id) {
      return context.constructType(id.equals("b") ? Bird.class : Fish.class);
    }

    @Override
    public JsonTypeInfo.Id getMechanism() {
      return JsonTypeInfo.Id.CUSTOM;
    }
  }

  @Test
  void aTypeIdResolverOfTheApplicationIsTrusted() {
    readsBack(new Zoo(new Bird(2), List.of(new Fish(3), new Bird(4))));
    codec.check(Animal.class);
    assertThat(codec.decode(codec.encode(new Fish(1), Animal.class), Animal.class))
        .isEqualTo(new Fish(1));
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, defaultImpl = Other.class)
  @JsonSubTypes(@JsonSubTypes.Type(Card.class))
  sealed interface Payment permits Card, Other {}

  record Card(String number) implements Payment {}

  record Other(String text) implements Payment {}

  record Paid(Payment payment) {}

  @Test
  void theDefaultImplementationNeedsNoName() {
    readsBack(new Paid(new Card("1")));
    readsBack(new Paid(new Other("cash")));
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({@JsonSubTypes.Type(Oak.class), @JsonSubTypes.Type(Rose.class)})
  sealed interface Plant permits Tree, Rose {}

  sealed interface Tree extends Plant permits Oak {}

  record Oak(int rings) implements Tree {}

  record Rose(int thorns) implements Plant {}

  record Forest(Tree tree) {}

  @Test
  void aSupertypeMayNameSubtypesThatCannotOccur() {
    readsBack(new Forest(new Oak(7)));
  }

  static final class ReadCircle extends JsonDeserializer<Shape> {
    @Override
    public Shape deserialize(JsonParser json, DeserializationContext context) throws IOException {
      JsonNode tree = json.readValueAsTree();
      return new Circle(tree.get("radius").intValue());
    }
  }

  static final class ReadCircles extends JsonDeserializer<List<Shape>> {
    @Override
    public List<Shape> deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      List<Shape> shapes = new ArrayList<>();
      for (JsonNode element : json.<JsonNode>readValueAsTree()) {
        shapes.add(new Circle(element.get("radius").intValue()));
      }
      return shapes;
    }
  }

  record Using(@JsonDeserialize(using = ReadCircles.class) List<Shape> shapes, int count) {}

  record ContentUsing(
      @JsonDeserialize(contentUsing = ReadCircle.class) List<Shape> shapes,
      @JsonDeserialize(contentUsing = ReadCircle.class) Map<String, Shape> named) {}

  record ReferenceUsing(
      @JsonDeserialize(contentUsing = ReadCircle.class) AtomicReference<Shape> shape) {}

  record Plain(List<Shape> shapes) {}

  record UsedFirst(@JsonDeserialize(using = ReadCircle.class) Shape first, Shape second) {}

  record ContentUsedFirst(
      @JsonDeserialize(contentUsing = ReadCircle.class) List<Shape> first, List<Shape> second) {}

  @Test
  void aDeserializerOfAPropertyIsTrusted() {
    readsBack(new Using(List.of(new Circle(1), new Circle(2)), 2));
    readsBack(new ContentUsing(List.of(new Circle(1)), Map.of("a", new Circle(2))));
    codec.check(ReferenceUsing.class);
  }

  @Test
  void aDeserializerOfAPropertyCountsForThatPropertyOnly() {
    refuses(codec, UsedFirst.class, "at second", "it is sealed");
    refuses(codec, ContentUsedFirst.class, "at second[]", "it is sealed");
  }

  @Test
  void aModulesDeserializerOfCollectionsIsTrusted() {
    SimpleModule module = new SimpleModule().addDeserializer(List.class, cast(new ReadCircles()));
    JacksonCodec own = new JacksonCodec(JacksonCodec.mapperBuilder().addModule(module).build());

    readsBack(own, new Plain(List.of(new Circle(1))));
    refuses(codec, Plain.class, "at shapes[]", "it is sealed");
  }

  @SuppressWarnings("unchecked")
  private static JsonDeserializer<List<?>> cast(JsonDeserializer<?> deserializer) {
    return (JsonDeserializer<List<?>>) deserializer;
  }

  static final class Code {
    private final String text;

    public Code(String text) {
      this.text = text;
    }

    public String getText() {
      return text;
    }

    @Override
    public String toString() {
      return text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Code code && code.text.equals(text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  record Coded(
      @JsonSerialize(using = ToStringSerializer.class) Code code,
      @JsonSerialize(contentUsing = ToStringSerializer.class) List<Code> codes) {}

  @Test
  void aPropertyThatIsWrittenAsTextIsReadFromText() {
    readsBack(new Coded(new Code("a"), List.of(new Code("b"))));
    refuses(codec, Code.class, "Code", "no usable constructor");
  }

  interface Service {}

  static final class Injected {
    final String name;
    final Service service;

    @JsonCreator
    Injected(@JsonProperty("name") String name, @JacksonInject Service service) {
      this.name = name;
      this.service = service;
    }
  }

  @Test
  void whatIsInjectedNeedNotBeDecoded() {
    Service service = new Service() {};
    InjectableValues values = new InjectableValues.Std().addValue(Service.class, service);
    JacksonCodec own =
        new JacksonCodec(JacksonCodec.mapperBuilder().injectableValues(values).build());

    own.check(Injected.class);
    assertThat(own.decode("{\"name\":\"a\"}".getBytes(UTF_8), Injected.class))
        .usingRecursiveComparison()
        .isEqualTo(new Injected("a", service));
  }

  record Knot(String name, Knot next, List<Knot> others) {}

  @Test
  void aTypeWithinItselfIsReadBack() {
    readsBack(new Knot("a", new Knot("b", null, List.of()), List.of(new Knot("c", null, null))));
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
  @JsonSubTypes({@JsonSubTypes.Type(Mail.class), @JsonSubTypes.Type(Phone.class)})
  sealed interface Contact permits Mail, Phone {}

  record Mail(String address) implements Contact {}

  record Phone(String number) implements Contact {}

  record Person(Contact contact) {}

  @Test
  void aDeducedTypeIsReadBackIfTheMapperAllowsIt() {
    readsBack(new JacksonCodec(new ObjectMapper()), new Person(new Phone("1")));
    refuses(codec, Person.class, "at contact", "polymorphicTypeValidator denies", "DEDUCTION");
  }

  private void readsBack(Object payload) {
    readsBack(codec, payload);
  }

  private static void readsBack(JacksonCodec codec, Object payload) {
    codec.check(payload.getClass());
    assertThat(codec.decode(codec.encode(payload, payload.getClass()), payload.getClass()))
        .isEqualTo(payload);
  }

  private static void refuses(JacksonCodec codec, Class<?> type, String... words) {
    assertThatThrownBy(() -> codec.check(type))
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll(words);
  }
}
