package dev.mailroom.jackson;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.mailroom.errors.MailroomException;
import dev.mailroom.jackson.Payloads.Anything;
import dev.mailroom.jackson.Payloads.NightFell;
import dev.mailroom.jackson.Payloads.Order;
import dev.mailroom.jackson.Payloads.Page;
import dev.mailroom.jackson.Payloads.Parcel;
import dev.mailroom.messages.TypeReference;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecodingCheckTest {
  private final JacksonCodec codec = new JacksonCodec();

  sealed interface Shape permits Circle, Square {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  record Drawing(String name, List<Shape> shapes) {}

  record Atlas(Map<String, Drawing> drawings) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes({@JsonSubTypes.Type(Dog.class), @JsonSubTypes.Type(Cat.class)})
  sealed interface Pet permits Dog, Cat {}

  record Dog(String name) implements Pet {}

  record Cat(int lives) implements Pet {}

  record PetOwner(Pet first, List<Pet> others) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(Car.class))
  sealed interface Vehicle permits Car, Boat {}

  record Car(int wheels) implements Vehicle {}

  record Boat(int sails) implements Vehicle {}

  record Garage(Vehicle vehicle) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  interface Unlisted {}

  record Tree(String name, List<Tree> children, Tree parent) {}

  record Handed(
      @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "type") Object value) {}

  record HandedMany(
      @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, property = "type") List<Shape> values) {}

  record Pair(TwoValues values) {}

  static final class TwoValues {
    private final String one;
    private final int two;

    TwoValues(String one, int two) {
      this.one = one;
      this.two = two;
    }

    public String getOne() {
      return one;
    }

    public int getTwo() {
      return two;
    }
  }

  /** Jackson would read it from a JSON string, and writes it as an object. */
  static final class OneValue {
    private final String one;

    public OneValue(String one) {
      this.one = one;
    }

    public String getOne() {
      return one;
    }
  }

  static final class Code {
    private final String text;

    @JsonCreator
    Code(String text) {
      this.text = text;
    }

    @JsonValue
    String text() {
      return text;
    }
  }

  record Coded(Code code) {}

  @Test
  void recordsBeansCollectionsAndCyclesAreAccepted() {
    accepts(String.class);
    accepts(byte[].class);
    accepts(Order.class);
    accepts(NightFell.class);
    accepts(Anything.class);
    accepts(Tree.class);
    accepts(Coded.class);
    accepts(new TypeReference<Page<Order>>() {}.type());
    accepts(new TypeReference<Map<String, List<Order>>>() {}.type());
  }

  @Test
  void aSealedTypeWithNamedSubtypesIsAccepted() {
    accepts(PetOwner.class);
    accepts(Pet.class);
  }

  @Test
  void aSealedFieldWithoutTypeInformationIsRefused() {
    refuses(Drawing.class, "shapes[]", "Shape", "sealed", "@JsonSubTypes");
    refuses(Atlas.class, "drawings[].shapes[]", "sealed");
    refuses(Shape.class, "Shape", "sealed");
  }

  @Test
  void aSubtypeThatTheJsonCannotNameIsRefused() {
    refuses(Garage.class, "vehicle", "Boat", "not listed in @JsonSubTypes");
    refuses(Unlisted.class, "no subtype of it is named");
  }

  @Test
  void aClassWithoutAUsableConstructorIsRefused() {
    refuses(TwoValues.class, "TwoValues", "no usable constructor", "@JsonCreator");
    refuses(Pair.class, "at values", "TwoValues", "no usable constructor", "@JsonCreator");
    refuses(OneValue.class, "OneValue", "no usable constructor");
  }

  @Test
  void typeInformationByClassNameIsRefused() {
    refuses(Parcel.class, "content", "CLASS", "forbidden", "JsonTypeInfo.Id.NAME");
    refuses(Handed.class, "value", "MINIMAL_CLASS", "forbidden");
    refuses(HandedMany.class, "values[]", "CLASS", "forbidden");
  }

  private void accepts(Type type) {
    assertThatCode(() -> codec.check(type)).doesNotThrowAnyException();
  }

  private void refuses(Type type, String... words) {
    assertThatThrownBy(() -> codec.check(type))
        .isInstanceOf(MailroomException.class)
        .hasMessageContainingAll(words);
  }
}
